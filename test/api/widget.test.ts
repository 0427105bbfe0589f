import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLoneApi } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { newWidget, findRecords, postAsVisitor, signText, start } from '../support/website.ts';

const SITE = 'https://shop.example';
const ABSENT = 'ffffffffffffffffffffffff';

let product: Product;
let second: string;

beforeAll(async () => {
  product = await sharedApi('widget');
  second = new URL((await secondSharedApi()).base).origin;
});
afterAll(() => product.close());

const begin = async (organization: string, visitor?: object) =>
  start(product.origin, organization, { from: SITE, ...(visitor ? { visitor } : {}) });

describe('the widget settings of an organization', () => {
  test('invalid widget settings are rejected with 400 and their path when an organization is created or changed', async () => {
    const made = await product.admin.post('/organizations', {
      name: 'a',
      meta: { widget: { origins: ['x'] } },
    });
    expect([made.status, made.body.details[0].path]).toEqual([400, 'meta.widget.origins.0']);
    const shop = await newWidget(product, { origins: [SITE] });
    const changed = await shop.set({ colour: 'blue' });
    expect([changed.status, changed.body.details[0].path]).toEqual([400, 'meta.widget.colour']);
  });
});

describe('a request to start a chat', () => {
  test('a request to start a chat gets the same response for an unknown organization, an organization without widget, and a website that is not allowed', async () => {
    const [shop, other] = [await newWidget(product, { origins: [SITE] }), await newWidget(product, {})];
    const answers = [
      await begin(ABSENT),
      await begin('no-id'),
      await begin(other.id),
      await begin(product.organization),
      await start(product.origin, shop.id, { from: 'https://evil.example' }),
      await start(product.origin, shop.id, { from: 'null' }),
      await start(product.origin, shop.id, {}),
      await begin(other.id, { email: 'a@example.com', signature: 'x' }),
    ];
    const told = answers.map(({ status, text }) => `${status} ${text}`);
    expect(new Set(told).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    const names = answers.map(({ headers }) => [...headers.keys()].filter((name) => name !== 'date').join());
    expect(new Set(names).size).toBe(1);
  });

  test('a request to start a chat stores nothing, and the page of the returned key works', async () => {
    const shop = await newWidget(product, { origins: [SITE], welcome: 'Hello <b>you</b>' });
    const { slug, status, headers } = await begin(shop.id);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const page = await fetch(`${product.origin}/c/${slug}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Hello &lt;b&gt;you&lt;/b&gt;');
    const read = await fetch(`${product.origin}/c/${slug}/messages`);
    expect(await read.json()).toEqual({ messages: [], more: false, last: 0, mark: '0', started: true });
    expect(await (await fetch(`${product.origin}/c/${slug}/unread`)).json()).toEqual({ unread: 0 });
    expect((await fetch(`${product.origin}/c/${slug}/stream`)).status).toBe(404);
    for (const [what, body] of [
      ['read', { sequence: 5 }],
      ['typing', { typing: true }],
    ] as const) {
      const put = await fetch(`${product.origin}/c/${slug}/${what}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(put.status).toBe(204);
    }
    expect(await findRecords(product.admin, shop.id)).toEqual({ conversations: [], contacts: [] });
  });

  test('a request to start a chat returns a key that cannot be forged, read or changed', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const { slug } = await begin(shop.id);
    expect(Buffer.from(slug, 'base64url').toString('latin1')).not.toContain(shop.id);
    for (const at of [0, 20, 40, slug.length - 2]) {
      const other = slug[at] === 'A' ? 'B' : 'A';
      const forged = slug.slice(0, at) + other + slug.slice(at + 1);
      expect((await fetch(`${product.origin}/c/${forged}/messages`)).status).toBe(404);
      expect((await postAsVisitor(product.origin, forged, { key: 'k', text: 'x' })).status).toBe(404);
    }
    expect((await fetch(`${product.origin}/c/${'A'.repeat(200)}`)).status).toBe(404);
    expect(await findRecords(product.admin, shop.id)).toEqual({ conversations: [], contacts: [] });
  });

  test('requests to start a chat and new conversations are limited per address', async () => {
    const lone = await startLoneApi(product.environment, {
      RATE_LIMIT_PER_ADDRESS: '1000',
      TRUSTED_PROXIES: '1',
    });
    try {
      const origin = new URL(lone.base).origin;
      const shop = await newWidget(product, { origins: [SITE] });
      const ask = async (address: string) => {
        const response = await fetch(`${origin}/c/${shop.id}/start`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: SITE, 'X-Forwarded-For': address },
          body: '{}',
        });
        return {
          status: response.status,
          after: response.headers.get('retry-after'),
          body: (await response.json()) as any,
        };
      };
      const asked = await Promise.all(Array.from({ length: 70 }, () => ask('203.0.113.7')));
      const refused = asked.filter(({ status }) => status === 429);
      // A new minute of the limit may begin during the requests.
      expect(refused.length).toBeGreaterThanOrEqual(10);
      expect(Number(refused[0]?.after)).toBeGreaterThan(0);
      const other = await ask('203.0.113.8');
      expect(other.status).toBe(200);
      const keys = asked.filter(({ status }) => status === 200).map(({ body }) => body.slug as string);
      const said = await Promise.all(
        [
          ...keys,
          ...(await Promise.all(Array.from({ length: 30 }, () => begin(shop.id)))).map(({ slug }) => slug),
        ].map(async (slug) => {
          const response = await fetch(`${origin}/c/${slug}/messages`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
            body: '{"key":"a","text":"spam"}',
          });
          return response.status;
        }),
      );
      const made = said.filter((status) => status === 201).length;
      // A new period of ten minutes may begin during the requests and permit thirty more.
      expect(made).toBeGreaterThanOrEqual(30);
      expect(made).toBeLessThanOrEqual(60);
      expect(said.filter((status) => status === 429).length).toBe(said.length - made);
      const { conversations, contacts } = await findRecords(product.admin, shop.id);
      expect([conversations.length, contacts.length]).toEqual([made, made]);
    } finally {
      await lone.close();
    }
  });
});

describe('the first message of a visitor', () => {
  test('the first message of a visitor creates one contact and one conversation, even from many tabs and processes', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const { slug } = await begin(shop.id);
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        postAsVisitor(at % 2 ? second : product.origin, slug, {
          key: `k${at % 10}`,
          text: `said ${at % 10}`,
        }),
      ),
    );
    expect(said.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(10).fill(201)]);
    const { conversations, contacts } = await findRecords(product.admin, shop.id);
    expect([conversations.length, contacts.length]).toEqual([1, 1]);
    const [conversation] = conversations;
    expect(conversation).toMatchObject({
      type: 'contact',
      status: 'queued',
      contact: contacts[0].id,
      participants: [],
    });
    expect(contacts[0]).toMatchObject({ profile: {}, conversation: conversation.id });
    expect(new Set(said.map(({ body }) => body.begun))).toEqual(new Set([conversation.slug]));
    const listed = await product.admin.get(`/conversations/${conversation.id}/messages`);
    expect(listed.body.map(({ sequence }: any) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(listed.body.map(({ text }: any) => text)).size).toBe(10);
    // The first key and the slug open the same conversation.
    for (const key of [slug, conversation.slug]) {
      const page = await fetch(`${product.origin}/c/${key}/messages`);
      expect(((await page.json()) as any).messages).toHaveLength(10);
    }
    expect(
      (await postAsVisitor(product.origin, conversation.slug, { key: 'k1', text: 'again' })).status,
    ).toBe(200);
  });

  test('a rejected first message of a visitor creates nothing', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const { slug } = await begin(shop.id);
    expect((await postAsVisitor(product.origin, slug, { key: 'k', text: '' })).status).toBe(400);
    expect((await postAsVisitor(product.origin, slug, { key: 'k', text: 'x'.repeat(32_001) })).status).toBe(
      400,
    );
    expect(await findRecords(product.admin, shop.id)).toEqual({ conversations: [], contacts: [] });
  });

  test('the first message of a visitor to a deleted organization gets 404, both for anonymous visitors and for visitors with a signed email', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const { secret } = (await product.admin.post(`/organizations/${shop.id}/widget/secret`, {})).body;
    const email = 'left@widget.example';
    const keys = [await begin(shop.id), await begin(shop.id, { email, signature: signText(secret, email) })];
    expect(keys.map(({ status }) => status)).toEqual([200, 200]);
    expect((await product.admin.request('DELETE', `/organizations/${shop.id}`)).status).toBe(204);
    for (const origin of [product.origin, second]) {
      for (const { slug } of keys) {
        expect((await postAsVisitor(origin, slug, { key: 'k', text: 'one' })).status).toBe(404);
      }
    }
  });

  test('a visitor who posts with the key of a deleted conversation does not restore the conversation', async () => {
    const shop = await newWidget(product, { origins: [SITE] });
    const { slug } = await begin(shop.id);
    await postAsVisitor(product.origin, slug, { key: 'k', text: 'one' });
    const [conversation] = (await findRecords(product.admin, shop.id)).conversations;
    expect((await product.admin.request('DELETE', `/conversations/${conversation.id}`)).status).toBe(204);
    expect((await postAsVisitor(product.origin, slug, { key: 'k2', text: 'two' })).status).toBe(404);
    expect((await fetch(`${product.origin}/c/${slug}`)).status).toBe(404);
    expect(await findRecords(product.admin, shop.id)).toEqual({ conversations: [], contacts: [] });
  });
});
