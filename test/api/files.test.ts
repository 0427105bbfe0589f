import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { PNG, countPieces, countStoredFiles, upload } from '../support/files.ts';
import type { Product } from '../support/product.ts';
import { newUser, ownApi, sharedApi } from '../support/shared-servers.ts';
import { newWidget, postAsVisitor, signText, start } from '../support/website.ts';

const MIB = 1024 * 1024;
let product: Product;

beforeAll(async () => {
  product = await sharedApi('files');
});
afterAll(() => product.close());

const newConversation = async () =>
  (await product.admin.post('/conversations', {})).body as { id: string; slug: string };
const send = async (
  conversation: string,
  body: Parameters<typeof upload>[1] = PNG,
  options: Parameters<typeof upload>[2] = {},
) => upload(`${product.base}/files?conversation=${conversation}`, body, { token: product.token, ...options });
const sendAsContact = (slug: string, body: Parameters<typeof upload>[1] = PNG, name = '') =>
  upload(`${product.origin}/c/${slug}/files${name && `?name=${encodeURIComponent(name)}`}`, body);
const read = (url: string) => fetch(url);

/** Begins an upload of 1 MB on a new connection. */
function sendHead(conversation: string, type: string) {
  const { hostname, port } = new URL(product.origin);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST /v2/files?conversation=${conversation} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${product.token}`,
    `Content-Type: ${type}`,
    'Content-Length: 1000000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Sends chunks of 64 KiB until the server responds. Returns the bytes that were sent. */
function endless(most: number) {
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= most) controller.close();
      else controller.enqueue(new Uint8Array(65_536));
      sent += 65_536;
    },
  });
  return { stream, sent: () => sent };
}

describe('an upload', () => {
  test('a file sent as the body is stored with the type of its bytes and the given name', async () => {
    const { id } = await newConversation();
    const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''caf%C3%A9.png` };
    const { status, body, headers: answered } = await send(id, PNG, { type: 'text/html', headers });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        url: body.url,
        name: 'café.png',
        type: 'image/png',
        bytes: 70,
      },
    ]);
    expect(body.url).toMatch(new RegExp(`^${product.origin}/f/[\\w-]{43}$`));
    expect(answered.get('location')).toBe(body.url);
    expect(answered.get('cache-control')).toBe('no-store');
    const file = await read(body.url);
    expect(Buffer.from(await file.arrayBuffer()).equals(PNG)).toBe(true);
  });

  test('a file sent in a form may have its conversation as a field before it', async () => {
    const { id } = await newConversation();
    const form = new FormData();
    form.set('conversation', id);
    form.set('file', new Blob([new Uint8Array(PNG)]), 'C:\\fakepath\\a.png');
    const { status, body } = await upload(`${product.base}/files`, form, { token: product.token });
    expect([status, body.name, body.type]).toEqual([201, 'a.png', 'image/png']);
  });

  test('a file of 16 MiB is stored and read whole', async () => {
    const { id } = await newConversation();
    // Random first bytes can be the signature of another type.
    const content = Buffer.concat([Buffer.alloc(16), randomBytes(16 * MIB - 16)]);
    const { status, body } = await send(id, content);
    expect([status, body.bytes, body.type]).toEqual([201, 16 * MIB, 'application/octet-stream']);
    expect(Buffer.from(await (await read(body.url)).arrayBuffer()).equals(content)).toBe(true);
  });

  test('a longer file is refused with 413 by its announced length', async () => {
    const { id } = await newConversation();
    const { status, body } = await send(id, Buffer.alloc(16 * MIB + 1));
    expect([status, body.code]).toEqual([413, 'too_large']);
    expect((await countStoredFiles(product, id)).files).toBe(0);
  });

  test('a longer file of unknown length is refused with 413 when it passes the limit, and leaves nothing', async () => {
    const { id } = await newConversation();
    const { stream, sent } = endless(64 * MIB);
    const refused = await send(id, stream).catch(() => undefined);
    if (refused) expect([refused.status, refused.body.code]).toEqual([413, 'too_large']);
    expect(sent()).toBeLessThan(64 * MIB);
    await eventually(async () => (await countStoredFiles(product, id)).files === 0);
  });

  test('an upload that breaks off leaves nothing', async () => {
    const { id } = await newConversation();
    const socket = sendHead(id, 'image/png');
    socket.write(randomBytes(600_000));
    const { ids } = await eventually(async () => {
      const stored = await countStoredFiles(product, id);
      return stored.files === 1 && stored;
    });
    socket.destroy();
    await eventually(async () => (await countStoredFiles(product, id)).files === 0);
    expect(await countPieces(product, ids)).toBe(0);
  });

  test('a form that breaks off in the middle of its file leaves nothing', async () => {
    const { id } = await newConversation();
    const socket = sendHead(id, 'multipart/form-data; boundary=b');
    socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    socket.write(randomBytes(600_000));
    await eventually(async () => (await countStoredFiles(product, id)).files === 1);
    socket.destroy();
    await eventually(async () => (await countStoredFiles(product, id)).files === 0);
  });

  const form = (...files: string[]) => {
    const made = new FormData();
    files.forEach((text) => made.append('file', new Blob([text]), 'a.txt'));
    return made;
  };
  test.each([
    ['an empty file', '', {}, 400],
    ['a form without a file', form(), {}, 400],
    ['a form with an empty file', form(''), {}, 400],
    ['a form with two files', form('one', 'two'), {}, 400],
    ['a form without a boundary', 'x', { type: 'multipart/form-data' }, 400],
    [
      'a form that ends early',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      { type: 'multipart/form-data; boundary=b' },
      400,
    ],
    ['a form of garbage', 'garbage', { type: 'multipart/form-data; boundary=b' }, 400],
    ['a compressed file', 'x', { headers: { 'Content-Encoding': 'gzip' } }, 415],
    ['a file without a type', PNG, { type: '' }, 415],
  ] as const)('%s is refused and leaves nothing', async (_, body, options, expected) => {
    const { id } = await newConversation();
    const { status, body: answer } = await send(id, body, options);
    expect([status, typeof answer.message]).toEqual([expected, 'string']);
    expect((await countStoredFiles(product, id)).files).toBe(0);
  });

  test.each(['', '?conversation=x', '?conversation=ffffffffffffffffffffffff', '?conversation=&x=1'])(
    'the query "%s" is refused',
    async (query) => {
      const { status } = await upload(`${product.base}/files${query}`, PNG, { token: product.token });
      expect([400, 404]).toContain(status);
    },
  );
});

describe('the reach of an upload', () => {
  test('a caller of another organization gets 404, and a caller without a token 401', async () => {
    const { id } = await newConversation();
    const other = await newUser(product, {
      role: 'admin',
      organization: (await product.admin.post('/organizations', { name: 'beside' })).body.id,
    });
    expect((await send(id, PNG, { token: other.token })).status).toBe(404);
    expect((await upload(`${product.base}/files?conversation=${id}`, PNG)).status).toBe(401);
    expect((await countStoredFiles(product, id)).files).toBe(0);
  });

  test('a guest uploads into own conversations only', async () => {
    const [own, other] = [await newConversation(), await newConversation()];
    const guest = await newUser(product, { role: 'viewer' });
    const participants = [{ user: guest.user }];
    await product.admin.request('PATCH', `/conversations/${own.id}`, { participants });
    expect((await send(own.id, PNG, { token: guest.token })).status).toBe(201);
    expect((await send(other.id, PNG, { token: guest.token })).status).toBe(404);
  });

  test('a message cannot have a file of another conversation', async () => {
    const [one, other] = [await newConversation(), await newConversation()];
    const { url } = (await send(one.id)).body;
    const refused = await product.admin.post('/messages', { conversation: other.id, text: url });
    expect([refused.status, refused.body.details[0].path]).toEqual([422, 'text']);
    const said = await postAsVisitor(product.origin, other.slug, { key: 'k', files: [url] });
    expect(said.status).toBe(422);
  });
});

describe('a message with a file', () => {
  test.each([
    ['a picture', PNG, 'image/png', 'image/png'],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'), 'application/pdf', 'application/pdf'],
    ['a text', Buffer.from('one, two\n'), 'text/plain', 'text/url'],
    ['HTML', Buffer.from('<html><script>alert(1)</script>'), 'text/plain', 'text/url'],
    [
      'an SVG',
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'application/xml',
      'text/url',
    ],
  ])(
    'the message of %s has the content type and media of the file',
    async (_, content, type, contentType) => {
      const { id } = await newConversation();
      const { body: file } = await send(id, content, {
        headers: { 'Content-Disposition': 'attachment; filename="a b"' },
      });
      const { status, body } = await product.admin.post('/messages', {
        conversation: id,
        text: file.url,
        meta: { own: 1 },
      });
      expect([status, body.text, body.contentType, body.meta]).toEqual([
        201,
        file.url,
        contentType,
        { own: 1, media: { name: 'a b', type, bytes: content.length } },
      ]);
    },
  );

  test('content type and media follow an edit of the text or the meta', async () => {
    const { id } = await newConversation();
    const [picture, text] = [(await send(id)).body, (await send(id, Buffer.from('one, two'))).body];
    const media = ({ name, type, bytes }: any) => ({ name, type, bytes });
    const { body } = await product.admin.post('/messages', { conversation: id, text: picture.url });
    const edit = async (fields: object) => {
      const { status, body: edited } = await product.admin.request('PATCH', `/messages/${body.id}`, fields);
      return [status, edited.contentType, edited.meta];
    };
    expect(await edit({ meta: { own: 1 } })).toEqual([200, 'image/png', { own: 1, media: media(picture) }]);
    expect(await edit({ text: text.url })).toEqual([200, 'text/url', { own: 1, media: media(text) }]);
    expect(await edit({ text: 'no file' })).toEqual([200, 'text/plain', { own: 1 }]);
    await eventually(async () => (await read(picture.url)).status === 404);
    const again = (await send(id)).body;
    expect(await edit({ text: again.url, meta: null })).toEqual([200, 'image/png', { media: media(again) }]);
    expect(await edit({ text: 'no file again' })).toEqual([200, 'text/plain', undefined]);
    const other = (await send((await newConversation()).id)).body.url as string;
    expect((await edit({ text: other }))[0]).toBe(422);
  });

  test('text and files of one request are consecutive messages, all or none', async () => {
    const { id, slug } = await newConversation();
    const files = [
      (await sendAsContact(slug, PNG, 'one.png')).body,
      (await sendAsContact(slug, PNG, 'two.png')).body,
    ];
    const body = { key: 'k', text: 'look', files: files.map(({ url }) => url) };
    const said = await postAsVisitor(product.origin, slug, body);
    expect(said.status).toBe(201);
    expect((await postAsVisitor(product.origin, slug, body)).status).toBe(200);
    const { body: all } = await product.admin.get(`/conversations/${id}/messages?sort=sequence`);
    expect(all.map(({ text, meta }: any) => [text, meta?.media?.name])).toEqual([
      ['look', undefined],
      [files[0].url, 'one.png'],
      [files[1].url, 'two.png'],
    ]);
    const shown = await (await fetch(`${product.origin}/c/${slug}/messages`)).json();
    expect((shown as any).messages.map(({ media, key }: any) => [media?.name, key])).toEqual([
      [undefined, 'k'],
      ['one.png', 'k/1'],
      ['two.png', 'k/2'],
    ]);
    const refused = await postAsVisitor(product.origin, slug, {
      key: 'x',
      text: 'x',
      files: [`${product.origin}/f/${'x'.repeat(43)}`],
    });
    expect(refused.status).toBe(422);
    expect((await product.admin.get(`/conversations/${id}/messages`)).body).toHaveLength(3);
  });

  test.each([{ files: ['https://example.com/a.png'] }, { files: [] }, {}])(
    'a chat page cannot post %j',
    async (body) => {
      const { slug } = await newConversation();
      expect((await postAsVisitor(product.origin, slug, { key: 'k', ...body })).status).toBe(400);
    },
  );

  test('the first message of a widget may be a file', async () => {
    const shop = await newWidget(product, { origins: ['https://shop.example'] });
    const { slug } = await start(product.origin, shop.id, { from: 'https://shop.example' });
    const { status, body: file } = await sendAsContact(slug, PNG, 'a.png');
    expect(status).toBe(201);
    const said = await postAsVisitor(product.origin, slug, { key: 'k', files: [file.url] });
    expect([said.status, said.body.media.name]).toEqual([201, 'a.png']);
    expect((await read(file.url)).status).toBe(200);
  });
});

test('a visitor whom the website identifies may upload before the first message', async () => {
  const shop = await newWidget(product, { origins: ['https://shop.example'] });
  const secret = (await product.admin.post(`/organizations/${shop.id}/widget/secret`)).body.secret as string;
  const email = 'ada@shop.example';
  const visitor = { email, signature: signText(secret, email) };
  const { slug } = await start(product.origin, shop.id, { from: 'https://shop.example', visitor });
  const files = [
    (await sendAsContact(slug, PNG, 'a.png')).body,
    (await sendAsContact(slug, PNG, 'b.png')).body,
  ];
  const first = await postAsVisitor(product.origin, slug, { key: 'k', files: [files[0].url] });
  expect([first.status, first.body.media.name]).toEqual([201, 'a.png']);
  const next = await postAsVisitor(product.origin, slug, { key: 'l', files: [files[1].url] });
  expect([next.status, next.body.media.name]).toEqual([201, 'b.png']);
  const { body } = await product.admin.get(`/conversations?organization=${shop.id}`);
  await product.admin.request('DELETE', `/conversations/${body[0].id}`);
  for (const { url } of files) expect((await read(url)).status).toBe(404);
});

describe('the deletion of files', () => {
  test('the deletion of its last message deletes a file', async () => {
    const { id } = await newConversation();
    const { url } = (await send(id)).body;
    const post = async (text: string) =>
      (await product.admin.post('/messages', { conversation: id, text })).body.id;
    const [one, two] = [await post(url), await post(`see ${url}`)];
    await product.admin.request('DELETE', `/messages/${one}`);
    expect((await read(url)).status).toBe(200);
    await product.admin.request('DELETE', `/messages/${two}`);
    await eventually(async () => (await read(url)).status === 404);
  });

  test('the deletion of a delayed message deletes its file', async () => {
    const { id } = await newConversation();
    const { url } = (await send(id)).body;
    const { body } = await product.admin.post('/messages', { conversation: id, text: url, delay: 600_000 });
    await product.admin.request('DELETE', `/messages/${body.id}`);
    await eventually(async () => (await read(url)).status === 404);
  });

  test('the deletion of a conversation deletes all its files', async () => {
    const { id } = await newConversation();
    const urls = [(await send(id)).body.url, (await send(id, randomBytes(600_000))).body.url];
    await product.admin.post('/messages', { conversation: id, text: urls[0] });
    const { ids } = await countStoredFiles(product, id);
    expect(ids).toHaveLength(2);
    expect((await product.admin.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    for (const url of urls) expect((await read(url)).status).toBe(404);
    expect((await countStoredFiles(product, id)).files).toBe(0);
    expect(await countPieces(product, ids)).toBe(0);
  });
});

test('uploads stop at the quota of the organization, and continue when files are deleted', async () => {
  const small = await ownApi('file_quota', { FILES_QUOTA_MIB: '1' });
  try {
    const { id } = (await small.admin.post('/conversations', {})).body;
    const address = `${small.base}/files?conversation=${id}`;
    const { token } = small;
    const first = await upload(address, randomBytes(700_000), { token });
    expect(first.status).toBe(201);
    const refused = await upload(address, randomBytes(700_000), { token });
    expect([refused.status, refused.body.code]).toEqual([422, 'unprocessable']);
    expect(refused.body.message).toContain('1 MiB (FILES_QUOTA_MIB)');
    const { stream } = endless(700_000);
    expect((await upload(address, stream, { token })).status).toBe(422);
    expect((await upload(address, randomBytes(100_000), { token })).status).toBe(201);
    await small.admin.request('DELETE', `/conversations/${id}`);
    const next = (await small.admin.post('/conversations', {})).body;
    expect(
      (await upload(`${small.base}/files?conversation=${next.id}`, randomBytes(700_000), { token })).status,
    ).toBe(201);
    const { url } = first.body;
    await read(url);
    expect(small.output()).not.toContain(url.split('/f/')[1]);
  } finally {
    await small.close();
  }
});
