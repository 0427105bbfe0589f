import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PNG, upload } from '../support/files.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';

let product: Product;

beforeAll(async () => {
  product = await sharedApi('file_reading');
});
afterAll(() => product.close());

async function send(body: Buffer | string = PNG, type = 'image/png'): Promise<string> {
  const { id } = (await product.admin.post('/conversations', {})).body;
  const address = `${product.base}/files?conversation=${id}`;
  return (await upload(address, body, { token: product.token, type })).body.url as string;
}

const read = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers });

test('a picture is shown in a sandbox, cached, and never sniffed', async () => {
  const { headers, status } = await read(await send());
  expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
    200,
    'image/png',
    '70',
  ]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/);
  expect(headers.get('content-disposition')).toMatch(/^inline; /);
  expect(headers.get('cache-control')).toMatch(/^private, max-age=31536000, immutable/);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
});

test('HTML is saved, not shown', async () => {
  const url = await send('<html><script>alert(1)</script>', 'text/html');
  const { headers } = await read(url);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="file.txt"; filename*=UTF-8''file.txt`,
  );
});

test('ranges, HEAD and conditional requests follow RFC 9110', async () => {
  const content = randomBytes(300_000);
  const url = await send(content);
  const part = await read(url, { Range: 'bytes=261000-261999' });
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    206,
    'bytes 261000-261999/300000',
    '1000',
  ]);
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(261_000, 262_000))).toBe(true);
  const beyond = await read(url, { Range: 'bytes=300000-' });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
  const etag = part.headers.get('etag') ?? '';
  const same = await read(url, { Range: 'bytes=0-0', 'If-Range': etag });
  expect(same.status).toBe(206);
  const changed = await read(url, { Range: 'bytes=0-0', 'If-Range': '"other"' });
  expect([changed.status, (await changed.arrayBuffer()).byteLength]).toEqual([200, 300_000]);
  expect((await read(url, { 'If-None-Match': etag })).status).toBe(304);
  const head = await read(url, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([
    200,
    '300000',
    0,
  ]);
});

test.each(['x', 'x'.repeat(43), `${'x'.repeat(43)}/y`, '%00', '..%2f'])(
  'the path /f/%s is not found',
  async (key) => {
    const { status, headers } = await read(`${product.origin}/f/${key}`);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  },
);
