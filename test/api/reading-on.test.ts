import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const COUNT = 1_300;

/** Spec 9.7. */
describe('a list of more than 1,000 records', () => {
  let product: Product;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('reading_on');
    conversation = (await product.admin.post('/conversations', {})).body.id;
    for (let at = 0; at < COUNT; at += 100) {
      const messages = Array.from({ length: 100 }, (_, n) => ({ type: 'status', text: `${at + n + 1}` }));
      const { status } = await product.admin.post(`/conversations/${conversation}/messages`, messages);
      expect(status).toBe(201);
    }
  });
  afterAll(() => product.close());

  const findNext = (link: string | null) => /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];

  /** Follows `next` as HTTP clients do. Returns the texts, and the response that ended the list. */
  async function follow(first: string) {
    const texts: string[] = [];
    let path: string | undefined = first;
    for (;;) {
      const current = path;
      // Many long lists at once are 429 on a slow machine.
      const { status, headers, body } = await eventually(async () => {
        const response = await product.admin.get(current);
        return response.status !== 429 && response;
      });
      if (status !== 200) return { texts, status, message: body.message as string };
      texts.push(...(body as { text: string }[]).map(({ text }) => text));
      const next = findNext(headers.get('link'));
      if (next === undefined) return { texts, status, message: '' };
      path = next.slice(product.base.length);
    }
  }

  const all = Array.from({ length: COUNT }, (_, at) => `${at + 1}`);
  const below = () => `/conversations/${conversation}/messages`;

  test.each([
    ['in the order of ids', () => `/messages?conversation=${conversation}&limit=300`, all],
    ['backwards', () => `/messages?conversation=${conversation}&sort=-id&limit=500`, all.toReversed()],
    ['in its own order', () => `${below()}?limit=400&select=text`, all],
    ['by sequence backwards', () => `${below()}?sort=-sequence&limit=1000`, all.toReversed()],
    ['between bounds', () => `${below()}?sequence=>50,<=1250&limit=300`, all.slice(50, 1250)],
    [
      'with a filter',
      () => `${below()}?text=~[02468]$&sort=id&limit=100`,
      all.filter((n) => Number(n) % 2 === 0),
    ],
  ])('following next reads each record once: %s', async (_, path, expected) => {
    const { texts, status } = await follow(path());
    expect([status, texts.length]).toEqual([200, expected.length]);
    expect(texts).toEqual(expected);
  });

  test('following next in another order ends with the reason and never as if the list were complete', async () => {
    const pages = await follow(`/messages?conversation=${conversation}&sort=text&limit=100`);
    expect(pages.texts).toHaveLength(1_100);
    expect([pages.status, pages.message]).toEqual([
      400,
      'offset: must be a whole number from 0 to 1000; to read further, sort by id and follow the header Link, or filter by id=>{last id}',
    ]);
  });
});
