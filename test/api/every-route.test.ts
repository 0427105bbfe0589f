import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../api/chat-page/routes.ts';
import { CONSOLE } from '../../api/console/routes.ts';
import type { Route } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import {
  parseAllow,
  readErrorCode,
  expectFramed,
  findMethods,
  listHeaderNames,
} from '../support/http-answers.ts';
import type { RawResponse } from '../support/http-answers.ts';
import type { Product } from '../support/product.ts';
import { recordKinds } from '../support/record-kinds.ts';
import { sharedApi } from '../support/shared-servers.ts';

const ABSENT = 'ffffffffffffffffffffffff';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MIB = 1024 * 1024;

interface Asked {
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Properties that HTTP and spec 2 require of every row of the route table. */
describe('every route', () => {
  let product: Product;
  /** Ids of stored records by the first part of the path. */
  const records = new Map<string, string>();
  /** The rows of the API, the console and the pages with concrete paths. */
  let rows: (Route & { url: string })[];

  beforeAll(async () => {
    product = await sharedApi('every_route');
    for (const { path, body } of await recordKinds(product)) {
      const { body: made } = await product.admin.post(path, body);
      records.set(path, made.id as string);
    }
    const { body: conversation } = await product.admin.post('/conversations', {});
    rows = [
      ...ROUTES.map((row) => ({ ...row, url: `/v2${concrete(row.path)}` })),
      ...CONSOLE.map((row) => ({ ...row, url: row.path })),
      ...PAGES.map((row) => ({
        ...row,
        url: row.path.replace(':slug', conversation.slug as string).replace(/:\w+/, ABSENT),
      })),
    ];
  });
  afterAll(() => product.close());

  function concrete(path: string): string {
    const id = records.get(`/${path.split('/')[1] ?? ''}`) ?? ABSENT;
    return path.replace(':id', id).replace(/:\w+/g, ABSENT);
  }

  /** Sends a request as the admin and asserts the request id and the shape of a refusal. */
  async function ask(method: string, url: string, { headers, body }: Asked = {}): Promise<RawResponse> {
    const response = await fetch(`${product.origin}${url}`, {
      method,
      headers: { Authorization: `Bearer ${product.token}`, ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(200_000),
    });
    const text = isStream(response) ? (await response.body?.cancel(), '') : await response.text();
    const answered = { status: response.status, headers: response.headers, text };
    expectFramed(answered, `${method} ${url}`);
    return answered;
  }

  const bodied = () => rows.filter((row) => row.body !== undefined);

  /** Processes at most four items at a time, the limit of concurrent lists per caller. */
  async function each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
    const left = [...items];
    const worker = async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  }

  test('every route responds 405 to other methods and names the allowed methods', async () => {
    const urls = [...new Set(rows.map(({ url }) => url))];
    await each(urls, async (url) => {
      const known = findMethods(url, rows);
      for (const method of [...METHODS, 'PROPFIND'].filter((one) => !known.has(one))) {
        const { status, headers } = await ask(method, url);
        expect([status, parseAllow(headers)], `${method} ${url}`).toEqual([405, [...known].sort()]);
      }
      const options = await ask('OPTIONS', url);
      expect([200, 204], url).toContain(options.status);
      expect(parseAllow(options.headers), `OPTIONS ${url}`).toEqual([...known].sort());
    });
  });

  test('every route responds to a CORS preflight', async () => {
    await each(rows, async ({ method, url }) => {
      const { status, headers } = await ask('OPTIONS', url, {
        headers: {
          Origin: 'https://example.com',
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'authorization,content-type,if-match',
        },
      });
      expect([status, headers.get('access-control-allow-origin')], url).toEqual([204, '*']);
      expect(headers.get('access-control-allow-methods')?.split(','), url).toContain(method);
      expect(headers.get('access-control-allow-headers'), url).toContain('if-match');
    });
  });

  test('every route with a body rejects a compressed body and a wrong content type, and requires a content type except for events', async () => {
    await each(bodied(), async ({ method, url, bodyType, eventTypes }) => {
      const types = [
        'application/xml',
        'multipart/form-data',
        bodyType === 'text/plain' || eventTypes ? 'text/html' : 'text/plain',
      ];
      for (const type of types) {
        const refused = await ask(method, url, { headers: { 'Content-Type': type }, body: '{"a":1}' });
        expect(refused.status, `${method} ${url} ${type}`).toBe(415);
      }
      const typeless = await ask(method, url, { body: Buffer.from('{"a":1}') });
      const isTyped = eventTypes === undefined;
      expect(typeless.status === 415, `${method} ${url} without a type`).toBe(isTyped);
      const headers = { 'Content-Type': bodyType, 'Content-Encoding': 'gzip' };
      expect((await ask(method, url, { headers, body: '{"a":1}' })).status, `${method} ${url}`).toBe(415);
    });
  });

  test('every route with a body rejects a body above 1 MiB, or of lines above 8 MiB', async () => {
    const ofLines = Buffer.alloc(8 * MIB + 1, 'x');
    await each(bodied(), async ({ method, url, bodyType }) => {
      const body = bodyType === 'application/x-ndjson' ? ofLines : ofLines.subarray(0, MIB + 1);
      const { status, text } = await ask(method, url, { headers: { 'Content-Type': bodyType }, body });
      expect([status, readErrorCode(text)], `${method} ${url}`).toEqual([413, 'too_large']);
    });
  });

  test('every route that takes JSON rejects a body that is not JSON', async () => {
    const broken = ['', '{', '{"a":}', 'undefined', "{'a':1}", '{"a":1}}', Buffer.from([0x22, 0xff, 0x22])];
    await each(
      bodied().filter(({ bodyType }) => bodyType === 'application/json'),
      async ({ method, url, bodyIsOptional }) => {
        for (const body of bodyIsOptional ? broken.slice(1) : broken) {
          const { status, text } = await ask(method, url, {
            headers: { 'Content-Type': 'application/json' },
            body,
          });
          expect([status, readErrorCode(text)], `${method} ${url} ${String(body)}`).toEqual([
            400,
            'invalid_json',
          ]);
        }
      },
    );
  });

  test('every GET route responds to HEAD as to GET, without the body', async () => {
    await each(
      rows.filter(({ method }) => method === 'GET'),
      async ({ url }) => {
        const [head, get] = [await ask('HEAD', url), await ask('GET', url)];
        expect([head.status, head.text], url).toEqual([get.status, '']);
        expect(listHeaderNames(head.headers), url).toEqual(listHeaderNames(get.headers));
        for (const name of ['content-type', 'etag', 'x-total', 'cache-control'])
          expect(head.headers.get(name), `${url} ${name}`).toBe(get.headers.get(name));
      },
    );
  });

  test('every GET route ignores the Accept header', async () => {
    const reads = rows.filter(({ method }) => method === 'GET');
    await each(reads, async ({ url }) => {
      const usual = await ask('GET', url);
      for (const accept of ['application/xml', 'image/png;q=0', 'nonsense', '']) {
        const { status, headers } = await ask('GET', url, { headers: { Accept: accept } });
        const type = usual.headers.get('content-type');
        expect([status, headers.get('content-type')], `${url} ${accept}`).toEqual([usual.status, type]);
      }
    });
  });

  test('every GET route that requires a token rejects unknown and repeated parameters', async () => {
    const reads = rows.filter(({ method, scope }) => method === 'GET' && scope !== null);
    await each(reads, async ({ url, path }) => {
      const given = path.endsWith('/search') ? '?q=a&' : '?';
      for (const query of [
        'nope=1',
        '$where=1',
        '__proto__=1',
        'a.b.c=1',
        'limit=1&limit=1',
        'select=id&select=id',
      ]) {
        const { status } = await ask('GET', `${url}${given}${query}`);
        expect([400, 404], `${url}${given}${query} ${status}`).toContain(status);
        if (!url.includes(ABSENT)) expect(status, `${url}${given}${query}`).toBe(400);
      }
    });
  });

  test('every GET and DELETE route that takes no body, except streams, ignores a sent body', async () => {
    const unread = rows.filter(
      ({ method, body, answerType }) => method === 'GET' && !body && answerType !== 'text/event-stream',
    );
    for (const { url } of unread.filter((one) => !one.url.endsWith('/stream'))) {
      const bare = await ask('GET', url);
      expect(await withBody('GET', url), url).toBe(bare.status);
    }
    await each(
      rows.filter(({ method, body, path }) => method === 'DELETE' && !body && path.includes(':')),
      async ({ url, path }) => {
        const absent = url.replace(concrete(path), path.replace(/:\w+/g, ABSENT));
        const { status } = await ask('DELETE', absent, {
          headers: { 'Content-Type': 'application/json' },
          body: '{"id":',
        });
        expect(status, absent).toBe(404);
      },
    );
  });

  /** Sends a request with a body and returns the status. `fetch` cannot send a body with GET. */
  function withBody(method: string, url: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(`${product.origin}${url}`, {
        method,
        headers: {
          Authorization: `Bearer ${product.token}`,
          'Content-Type': 'application/json',
          'Content-Length': 7,
        },
      });
      sent.once('response', (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', reject).end('{"a":1}');
    });
  }
});

function isStream({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').startsWith('text/event-stream');
}
