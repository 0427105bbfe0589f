import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

interface Raw {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Spec 2: bodies of 1 KiB and more are compressed if the client accepts gzip or br. */
describe('a response', () => {
  let product: Product;
  let large: string;
  let small: string;

  beforeAll(async () => {
    product = await sharedApi('compression');
    const made = async (content: string) =>
      `/v2/kbitems/${(await product.admin.post('/kbitems', { title: 'k', content })).body.id}`;
    large = await made('a long text '.repeat(500));
    small = await made('short');
  });
  afterAll(() => product.close());

  /** Returns the response without decompressing the body. */
  function raw(path: string, { method = 'GET', ...headers }: Record<string, string> = {}): Promise<Raw> {
    const authorization = { Authorization: `Bearer ${product.token}` };
    return new Promise((resolve, reject) => {
      const asked = request(`${product.origin}${path}`, {
        method,
        headers: { ...authorization, ...headers },
      });
      asked.once('error', reject);
      asked.once('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      asked.end();
    });
  }

  const accepting = (codings: string) => ({ 'Accept-Encoding': codings });
  const codingOf = ({ headers }: Raw) => headers['content-encoding'];

  test('a response of 1 KiB or more is compressed only with a coding that the client accepts', async () => {
    const plain = await raw(large);
    expect(codingOf(plain)).toBeUndefined();
    const [gzip, br] = [await raw(large, accepting('gzip')), await raw(large, accepting('br'))];
    expect([codingOf(gzip), codingOf(br)]).toEqual(['gzip', 'br']);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    for (const { headers, bytes } of [gzip, br]) {
      expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    for (const { headers } of [plain, gzip, br]) expect(headers.vary).toContain('Accept-Encoding');
  });

  test.each([
    ['gzip;q=0.5, br;q=0.8', 'br'],
    ['gzip;q=0, br;q=0', undefined],
    ['identity, *;q=0', undefined],
    ['deflate, zstd', undefined],
    ['gzip;q=nonsense,,;', undefined],
    ['*', 'br'],
  ])('a response to Accept-Encoding "%s" has the Content-Encoding %s', async (codings, coding) => {
    const answer = await raw(large, accepting(codings));
    expect([answer.status, codingOf(answer)]).toEqual([200, coding]);
  });

  test('a response below 1 KiB is not compressed', async () => {
    const { headers, bytes } = await raw(small, accepting('gzip, br'));
    expect(bytes.length).toBeLessThan(1024);
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('a response to HEAD has the headers of GET and no body', async () => {
    const got = await raw(large, accepting('gzip'));
    const head = await raw(large, { method: 'HEAD', ...accepting('gzip') });
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary']) {
      expect(head.headers[name], name).toBe(got.headers[name]);
    }
  });

  test('a response has a different strong ETag for each coding, and an ETag leads to 304 only with the same coding', async () => {
    const tags = new Map<string, string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const etag = String((await raw(large, accepting(coding))).headers.etag);
      expect([...tags.values()]).not.toContain(etag);
      tags.set(coding, etag);
      const again = await raw(large, { ...accepting(coding), 'If-None-Match': etag });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers['content-encoding']).toBeUndefined();
      expect(again.headers.vary).toContain('Accept-Encoding');
    }
    const other = await raw(large, { ...accepting('gzip'), 'If-None-Match': String(tags.get('identity')) });
    expect(other.status).toBe(200);
  });

  test('a response outside /v2 is compressed too: the API description, pages and metrics', async () => {
    const { url } = (await product.admin.post('/conversations', {})).body;
    const page = await (await fetch(url)).text();
    const script = /\/viewer\/chat-\w+\.js/.exec(page)?.[0] ?? 'none';
    for (const path of [
      '/openapi.json',
      '/docs',
      '/docs/specification/07-webhooks',
      '/docs/index.json',
      '/metrics',
      script,
    ]) {
      const [plain, gzip] = [await raw(path), await raw(path, accepting('gzip'))];
      expect([path, gzip.status, codingOf(gzip)]).toEqual([path, 200, 'gzip']);
      if (path !== '/metrics') expect(gunzipSync(gzip.bytes).equals(plain.bytes), path).toBe(true);
    }
  });

  test('a response with the API description or a page has an ETag, and If-None-Match with this ETag leads to 304', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/index.json', '/docs/specification/07-webhooks.md']) {
      const { headers } = await raw(path, accepting('gzip'));
      const again = await raw(path, { ...accepting('gzip'), 'If-None-Match': String(headers.etag) });
      expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0]);
    }
  });

  test('a response with a secret is not compressed, because the compressed length could leak the secret', async () => {
    const params = {
      url: 'http://127.0.0.1:9/',
      secret: 's'.repeat(500),
      events: Array(20).fill('message.create.*'),
    };
    const made = await product.admin.post('/services', { name: 'n'.repeat(200), type: 'webhook', params });
    const { headers, bytes } = await raw(`/v2/services/${made.body.id}`, accepting('gzip, br'));
    expect(bytes.length).toBeGreaterThan(1024);
    expect([headers['content-encoding'], headers['cache-control']]).toEqual([undefined, 'no-store']);
  });

  test('a compressed list keeps X-Total, and a long refusal is compressed too', async () => {
    const list = await raw('/v2/kbitems', accepting('gzip'));
    expect([codingOf(list), list.headers['x-total']]).toEqual(['gzip', '2']);
    const refused = await raw(`/v2/kbitems?${'x'.repeat(3_000)}=1`, accepting('gzip'));
    expect([refused.status, codingOf(refused)]).toEqual([400, 'gzip']);
  });

  test('a response that is a stream is not compressed', async () => {
    const { id } = (await product.admin.post('/conversations', {})).body;
    const answer = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${product.token}`, ...accepting('gzip, br') };
      const asked = request(`${product.base}/conversations/${id}/stream`, { headers }, (stream) => {
        resolve(stream.headers);
        stream.destroy();
      });
      asked.once('error', reject);
      asked.end();
    });
    expect([answer['content-type'], answer['content-encoding'], answer['cache-control']]).toEqual([
      'text/event-stream; charset=utf-8',
      undefined,
      'no-store, no-transform',
    ]);
  });
});
