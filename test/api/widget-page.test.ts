import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { newWidget, postAsVisitor, start } from '../support/website.ts';

const SITE = 'https://shop.example';

let product: Product;

beforeAll(async () => {
  product = await sharedApi('widget_page');
});
afterAll(() => product.close());

const begin = async (organization: string) => start(product.origin, organization, { from: SITE });

describe('the chat page', () => {
  const policyOf = async (slug: string) =>
    (await fetch(`${product.origin}/c/${slug}`)).headers.get('content-security-policy') ?? '';

  test('the chat page may be framed only by the websites of its organization', async () => {
    const shop = await newWidget(product, { origins: [SITE, 'http://localhost:8080'] });
    const other = await newWidget(product, {});
    const { slug } = await begin(shop.id);
    expect(await policyOf(slug)).toContain(
      "frame-ancestors 'self' https://shop.example http://localhost:8080;",
    );
    const { begun } = (await postAsVisitor(product.origin, slug, { key: 'a', text: 'b' })).body;
    expect(await policyOf(begun as string)).toContain(
      "frame-ancestors 'self' https://shop.example http://localhost:8080;",
    );
    const plain = await product.admin.post('/conversations', { organization: other.id });
    expect(await policyOf(plain.body.slug as string)).toContain("frame-ancestors 'self';");
    expect(await policyOf('0123456789abcdef')).toContain("frame-ancestors 'self';");
    const api = await fetch(`${product.origin}/docs`);
    expect(api.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    // A website that is removed from the list cannot frame the page.
    await shop.set({ origins: [] });
    await eventually(async () => (await policyOf(slug)).includes("frame-ancestors 'self';"));
  });

  test('the chat page contains only the published settings of the organization', async () => {
    const shop = await newWidget(
      product,
      { origins: [SITE], colour: '#ffcc00', welcome: 'Hi', hours: 'Mo–Fr 9–17' },
      {
        displayName: 'The Shop',
        email: 'secret@shop.example',
        logo: 'javascript:alert(1)',
        tags: ['internal'],
      },
    );
    const { slug } = await begin(shop.id);
    const page = await (await fetch(`${product.origin}/c/${slug}`)).text();
    const [, given = ''] = /data-look="([^"]*)"/.exec(page) ?? [];
    expect(JSON.parse(given.replaceAll('&quot;', '"'))).toEqual({
      title: 'The Shop',
      welcome: 'Hi',
      hours: 'Mo–Fr 9–17',
      palette: { mine: '#ffcc00', onMine: '#000000', accent: expect.any(Object) },
    });
    expect(page).not.toMatch(/secret@|internal|javascript:/);
    const look = await fetch(`${product.origin}/c/${shop.id}/look?language=de`, {
      headers: { Origin: SITE },
    });
    expect(await look.json()).toMatchObject({
      title: 'The Shop',
      language: 'de',
      texts: { open: 'Chat öffnen' },
    });
    const refused = await fetch(`${product.origin}/c/${shop.id}/look`, {
      headers: { Origin: 'https://evil.example' },
    });
    expect(refused.status).toBe(404);
  });
});

test('the widget script can be loaded by any website and sets no cookie', async () => {
  const response = await fetch(`${product.origin}/widget.js`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('javascript');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(gzipSync(await response.arrayBuffer()).byteLength).toBeLessThan(5_000);
});
