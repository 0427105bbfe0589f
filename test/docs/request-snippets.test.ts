import { describe, expect, test } from 'vitest';
import { findRequests, renderRequests } from '../../web/request-snippets.mjs';

const FIRST = `GET /users/me
Authorization: Bearer $PARLANCE_API_KEY

# keep id as me
`;

/** Renders one block behind the first block of a page. */
function render(block: string) {
  const [, rendered] = renderRequests([FIRST, block]);
  return rendered!;
}

describe('a request of a guide', () => {
  test('a request with a body and a kept field is rendered for curl, Python and TypeScript', () => {
    const block = `POST /conversations/{{conversation}}/messages

{ "text": "It's {{me}}", "isBackchannel": false, "user": "{{me}}" }

# keep id as message
`;
    expect(render(block)).toEqual({
      curl: `message=$(curl -fsS "$API/conversations/$conversation/messages" -H "$AUTH" \\
  -H 'Content-Type: application/json' \\
  -d '{ "text": "It'\\''s '"$me"'", "isBackchannel": false, "user": "'"$me"'" }' |
  fields id)
`,
      python: `message = call("POST", f"/conversations/{conversation}/messages", {
    "text": f"It's {me}",
    "isBackchannel": False,
    "user": me,
})["id"]
`,
      typescript: `const { id: message } = await parlance.call('POST /conversations/{id}/messages', {
  path: { id: conversation },
  body: { text: \`It's \${me}\`, isBackchannel: false, user: me },
});
`,
    });
  });

  test('the filters of a request are encoded by each language', () => {
    const block = 'GET /conversations?status=[active,closed]&id=>{{last}}\n\n# print [*].name, length\n';
    expect(render(block)).toEqual({
      curl: `curl -fsS -G "$API/conversations" -H "$AUTH" \\
  --data-urlencode 'status=[active,closed]' \\
  --data-urlencode 'id=>'"$last" |
  fields '.map((one) => one.name).join(" ")' length
`,
      python: `response = call("GET", "/conversations", query={"status": "[active,closed]", "id": f">{last}"})
print(" ".join(one["name"] for one in response), len(response))
`,
      typescript: `const conversations = await parlance.call('GET /conversations', {
  query: { status: '[active,closed]', id: \`>\${last}\` },
});
console.log(conversations.map((one) => one.name).join(' '), conversations.length);
`,
    });
  });

  test('a refused request prints fields of the refusal', () => {
    const block = `DELETE /users/{{me}}/apikeys/{{key}}
Authorization: Bearer {{token}}

# refused: status, conflict.id
`;
    expect(render(block)).toEqual({
      curl: `curl -so refusal.json -w '%{http_code} ' -X DELETE "$API/users/$me/apikeys/$key" -H "Authorization: Bearer $token"
fields conflict.id < refusal.json
`,
      python: `try:
    call(
        "DELETE", f"/users/{me}/apikeys/{key}",
        headers={"authorization": f"Bearer {token}"},
    )
except Refused as error:
    print(error.status, error.body["conflict"]["id"])
`,
      typescript: `await parlance.call('DELETE /users/{id}/apikeys/{key}', {
  path: { id: me, key },
  headers: { authorization: \`Bearer \${token}\` },
}).catch((error) => console.log(error.status, error.conflict.id));
`,
    });
  });

  test('a text and a variable of the environment keep their form in each language', () => {
    const block = `PUT /eventtypes/{{type}}/jsonata
Content-Type: text/plain

{
  "text": "It's \${order}"
}

POST /services

{ "url": "{{$WEBHOOK_URL}}" }
`;
    const { curl, python, typescript } = render(block);
    expect(curl).toContain(`-d '{\n  "text": "It'\\''s \${order}"\n}'`);
    expect(python).toContain(`'''{\n  "text": "It's \${order}"\n}'''.encode()`);
    expect(typescript).toContain('`{\n  "text": "It\'s \\${order}"\n}`');
    expect(curl).toContain(`"url": "'"$WEBHOOK_URL"'"`);
    expect(python).toContain('{"url": os.environ["WEBHOOK_URL"]}');
    expect(typescript).toContain('url: process.env.WEBHOOK_URL');
  });

  test('a file is sent unchanged, with the filters in the address', () => {
    const block = `POST /files?conversation={{conversation}}&name=an invoice.pdf
Content-Type: application/pdf

< invoice.pdf
`;
    const { curl, python, typescript } = render(block);
    expect(curl).toContain('"$API/files?conversation=$conversation&name=an%20invoice.pdf"');
    expect(curl).toContain('--data-binary @invoice.pdf');
    expect(python).toContain('open("invoice.pdf", "rb").read(),');
    expect(typescript).toContain(
      "body: new Blob([await readFile('invoice.pdf')], { type: 'application/pdf' })",
    );
  });

  test('names of variables and headers follow the customs of a language', () => {
    const block = `POST /auth/token
Idempotency-Key: 17

{ "refreshToken": "{{refreshToken}}" }
`;
    const { curl, python, typescript } = render(block);
    expect(curl).toContain("-H 'Idempotency-Key: 17'");
    expect(python).toContain('{"refreshToken": refresh_token}');
    expect(typescript).toContain("body: { refreshToken },\n  idempotencyKey: '17',");
  });

  test('responses that are printed several times in a page have different names in TypeScript', () => {
    const block = 'GET /contacts/{{me}}\n\n# print id, name\n';
    const [, one, two] = renderRequests([FIRST, block, block]);
    expect([one, two].map((snippet) => /const (\w+)/.exec(snippet!.typescript)?.[1])).toEqual([
      'contact',
      'contact2',
    ]);
  });

  test('the lines of a batch are sent as newline-delimited JSON, and their results are a list', () => {
    const block = `POST /batch
Content-Type: application/x-ndjson
Idempotency-Key: import-1

{ "path": "/contacts", "body": { "externalId": "a" } }
{ "path": "/contacts", "body": { "profile": { "name": "It's Ada" } } }

# print [*].status, [1].body.id
`;
    const { curl, python, typescript } = render(block);
    expect(curl).toContain(`-d '{ "path": "/contacts", "body": { "externalId": "a" } }
{ "path": "/contacts", "body": { "profile": { "name": "It'\\''s Ada" } } }' |
  list |
  fields '.map((one) => one.status).join(" ")' '[1].body.id'`);
    expect(python).toContain('results = call(');
    expect(python).toContain('"\\n".join(map(json.dumps, lines)).encode()');
    expect(typescript).toBe(`const lines = [
  { path: '/contacts', body: { externalId: 'a' } },
  { path: '/contacts', body: { profile: { name: "It's Ada" } } },
];
const results = [];
for await (const result of parlance.batch(lines, { idempotencyKey: 'import-1' })) results.push(result);
console.log(results.map((one) => one.status).join(' '), results[1].body.id);
`);
  });

  test('a request that waits for items is repeated until its list has them', () => {
    const { curl, python, typescript } = render('GET /messages\n\n# until length 2\n# print [*].text\n');
    expect(curl).toContain('-ge 2 ]; do sleep 0.2; done\n');
    expect(python).toContain('while len(response := call("GET", "/messages")) < 2:\n    time.sleep(0.2)\n');
    expect(typescript).toBe(`let messages = [];
while (messages.length < 2) {
  await sleep(200);
  messages = await parlance.call('GET /messages');
}
console.log(messages.map((one) => one.text).join(' '));
`);
  });

  test('an unknown remark in a request is an error', () => {
    expect(() => render('GET /contacts\n\n# shows id\n')).toThrow('shows id');
  });

  test('only runnable requests of a guide are rendered', () => {
    expect(findRequests('```http\nPOST /x\n```\n\n```http run\nGET /y\n```\n')).toEqual(['GET /y\n']);
  });
});
