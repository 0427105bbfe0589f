// Renders the requests of a guide (blocks `http run`) for curl, Python and TypeScript. Pure.
//
// A request has a method and a path with its query, headers, and after an empty line a body, which
// is JSON, text with `Content-Type: text/plain`, lines of JSON (`application/x-ndjson`), or a file
// (`< invoice.pdf`).
// `{{name}}` is a variable, `{{$NAME}}` of the environment, `{{in 2 days}}` a time. Remarks behind
// a request:
//   # keep id as message          keeps a field of the response as {{message}}
//   # print status, texts[0]      prints fields; `[*].name` prints that field of every item
//   # until length 2              repeats the request until the list has so many items
//   # refused: status, code       the request is refused; prints fields of the refusal
// The block with an Authorization header comes first. It becomes the preamble of each language.

import { writeCurl, writePython, writeTypeScript } from './request-writers.mjs';

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/;
const HEADER = /^([A-Za-z-]+): (.*)$/;

/** The languages, in the order of the tabs. */
export const LANGUAGES = [
  { name: 'curl', title: 'curl', fence: 'sh' },
  { name: 'python', title: 'Python', fence: 'python' },
  { name: 'typescript', title: 'TypeScript', fence: 'ts' },
];

export function findRequests(markdown) {
  return [...markdown.matchAll(/^```http run\n([^]*?)^```$/gm)].map(([, code]) => code);
}

const PREAMBLES = {
  curl: ({ usesTime, sendsLines }) => `API=http://localhost:3000/v2
AUTH="Authorization: Bearer $PARLANCE_API_KEY"
# Prints fields of a JSON response.
fields() {
  node -e 'const response = JSON.parse(require("fs").readFileSync(0));
    const read = (path) => eval("response" + (/^[.[]/.test(path) ? "" : ".") + path);
    console.log(...process.argv.slice(1).map(read));' -- "$@"
}${sendsLines ? `\n# Makes a list of the lines of a response.\nlist() { sed '1s/^/[/; $!s/$/,/; $s/$/]/'; }` : ''}${
    usesTime ? '\nlater() { node -p "new Date(Date.now() + $1 * 86400000).toISOString()"; }' : ''
  }`,
  python: ({ usesTime, sendsLines, waits }) => `import json, os${waits ? ', time' : ''}
${usesTime ? 'from datetime import datetime, timedelta, timezone\n' : ''}from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

API = "http://localhost:3000/v2"
HEADERS = {
    "Authorization": "Bearer " + os.environ["PARLANCE_API_KEY"],
    "Content-Type": "application/json",
}


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(body["message"])
        self.status, self.body = status, body


def call(method, path, body=None, query=None, headers=None):
    url = API + path + ("?" + urlencode(query) if query else "")
    is_ready = body is None or isinstance(body, bytes)
    data = body if is_ready else json.dumps(body).encode()
    request = Request(url, data, {**HEADERS, **(headers or {})}, method=method)
    try:
        with urlopen(request) as response:${
          sendsLines
            ? `
            if response.headers["Content-Type"] == "application/x-ndjson":
                return [json.loads(line) for line in response]`
            : ''
        }
            return json.loads(response.read() or "null")
    except HTTPError as error:
        raise Refused(error.code, json.load(error)) from None${
          usesTime
            ? '\n\n\ndef later(days):\n    return (datetime.now(timezone.utc) + timedelta(days=days)).isoformat()'
            : ''
        }`,
  typescript: ({
    usesTime,
    sendsFiles,
    waits,
  }) => `${sendsFiles ? "import { readFile } from 'node:fs/promises';\n" : ''}${
    waits ? "import { setTimeout as sleep } from 'node:timers/promises';\n" : ''
  }import { createClient } from '@parlance/client';

const parlance = createClient({
  url: 'http://localhost:3000',
  token: process.env.PARLANCE_API_KEY,
});${
    usesTime ? '\nconst later = (days = 1) => new Date(Date.now() + days * 86_400_000).toISOString();' : ''
  }`,
};

/** Returns the requests in a block. Throws for any other line. */
export function parseRequests(code) {
  const requests = [];
  let body = [];
  const endBody = () => {
    const request = requests.at(-1);
    const text = body.join('\n').trim();
    if (text.startsWith('< ')) request.file = text.slice(2);
    else if (text !== '' && isLines(request)) request.lines = text.split('\n');
    else if (text !== '') request.body = isText(request) ? text : JSON.parse(text);
    body = [];
  };
  for (const line of code.split('\n')) {
    const request = requests.at(-1);
    const [, method, target] = REQUEST.exec(line) ?? [];
    const [, header, value] = HEADER.exec(line) ?? [];
    if (method !== undefined) {
      endBody();
      requests.push({ method, ...parseTarget(target), headers: {}, keeps: [], prints: [], isRefused: false });
    } else if (line.startsWith('#')) {
      endBody();
      readRemark(request, line);
    } else if (header !== undefined && body.join('') === '') request.headers[header.toLowerCase()] = value;
    else if (request) body.push(line);
  }
  endBody();
  return requests;
}

function isLines({ headers }) {
  return headers['content-type'] === 'application/x-ndjson';
}

function isText({ headers }) {
  return headers['content-type'] === 'text/plain';
}

function parseTarget(target) {
  const [path, query = ''] = target.split(/\?(.*)/s);
  const pairs = query.split('&').filter(Boolean);
  return { path, query: Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2))) };
}

function readRemark(request, line) {
  const [, keeps, prints, refused, length] =
    /^# (?:keep (.*)|print (.*)|refused: (.*)|until length (\d+))$/.exec(line) ?? [];
  const list = (text) => text.split(', ');
  if (keeps) request.keeps = list(keeps).map((one) => one.split(' as '));
  else if (prints) request.prints = list(prints);
  else if (length) request.length = Number(length);
  else if (refused) Object.assign(request, { prints: list(refused), isRefused: true });
  else throw new Error(`Unknown remark in a request: ${line}`);
}

/**
 * Renders the blocks of a page, in order. Each result has the code by language. Names of variables
 * are unique in the page, as TypeScript requires.
 */
export function renderRequests(blocks) {
  const kept = [...blocks.join('\n').matchAll(/ as (\w+)/g)].map(([, name]) => name);
  const all = blocks.join('\n');
  const usesTime = /\{\{in \d+ days?\}\}/.test(all);
  const page = {
    ...{ kept, taken: new Map(), usesTime, sendsFiles: /^< /m.test(all) },
    ...{ sendsLines: /^content-type: application\/x-ndjson$/im.test(all), waits: /^# until /m.test(all) },
  };
  return blocks.map((block) => {
    const requests = parseRequests(block);
    const writers = { curl: writeCurl, python: writePython, typescript: writeTypeScript };
    const isFirst = requests.some(({ headers }) => headers.authorization?.includes('$'));
    return Object.fromEntries(
      Object.entries(writers).map(([language, write]) => {
        const own = requests.map((request) => write(withoutKey(request), page));
        const preamble = isFirst ? [PREAMBLES[language](page)] : [];
        const gap = language === 'python' && isFirst ? '\n\n\n' : '\n\n';
        return [
          language,
          `${[preamble, own.join(own.some((one) => one.includes('\n')) ? '\n\n' : '\n')].flat().join(gap)}\n`,
        ];
      }),
    );
  });
}

/** The preamble has the key and the address. */
function withoutKey({ headers, ...request }) {
  const { authorization, host: _, ...others } = headers;
  const own = authorization && !authorization.includes('$') ? { authorization } : {};
  return { ...request, headers: { ...others, ...own } };
}
