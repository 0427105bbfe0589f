import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 5. */
describe('a search for conversations', () => {
  let product: Product;
  let conversation: string;
  let contact: string;

  beforeAll(async () => {
    product = await sharedApi('search');
    const { admin, organization } = product;
    const upsert = { organization, type: 'contact', name: 'Broken Café machine' };
    const profile = { email: 'ada@example.com', name: 'Ada Løvelace', address: { city: 'Zürich' } };
    const messages = [{ type: 'chat', role: 'contact', text: 'Hello' }];
    const { body } = await admin.post('/conversations', { ...upsert, contact: { profile }, messages });
    ({ id: conversation, contact } = body);
    await admin.post('/conversations', { name: 'Another machine' });
  });
  afterAll(() => product.close());

  const search = async (q: string, query = '') => {
    const { status, body } = await product.admin.get(
      `/conversations/search?q=${encodeURIComponent(q)}${query}`,
    );
    expect([q, status]).toEqual([q, 200]);
    return (body as { id: string }[]).map(({ id }) => id);
  };

  test('a search for conversations matches word prefixes regardless of case and accents', async () => {
    for (const q of ['cafe', 'CAFÉ', 'brok mach', 'ada', 'zurich broken', 'ada@example.com', 'Café, Ada!']) {
      expect([q, await search(q)]).toEqual([q, [conversation]]);
    }
    expect(await search('machine')).toHaveLength(2);
  });

  test('a search for conversations matches ß as ss, ø as o, ł as l, đ as d, æ as ae and œ as oe, in both directions', async () => {
    const { id } = (await product.admin.post('/conversations', { name: 'Straße Łódź Đorđe Ærø œuvre' })).body;
    const [plain, own] = ['strasse lodz dorde aero oeuvre', 'STRAẞE łódź đorđe ÆRØ Œuvre'];
    for (const q of [plain, own, ...plain.split(' '), ...own.split(' '), 'stras', 'straß', 'æ'])
      expect([q, await search(q)]).toEqual([q, [id]]);
    expect(await search('lovelace')).toEqual([conversation]);
  });

  test('a search for conversations matches telephones in any format, parts of words without spaces, and words without apostrophes', async () => {
    const { admin, organization } = product;
    const profile = {
      telephone: '+31201234567',
      name: "Siobhán O'Brien-Müller",
      address: { city: '東京都' },
    };
    const { id } = (
      await admin.post('/conversations', { organization, contact: { profile }, messages: [{ text: 'hi' }] })
    ).body;
    for (const q of [
      '020 123 4567',
      '+31 20 1234567',
      '4567',
      'obrien',
      'MUELLER',
      '京都',
      'siobhan 0201234567',
    ])
      expect([q, await search(q)]).toEqual([q, [id]]);
  });

  test('a search for conversations does not match the middle of a word, and requires a match for every word', async () => {
    for (const q of ['afe', 'roken', 'broken nothing', 'xyz']) expect([q, await search(q)]).toEqual([q, []]);
  });

  test('a search for conversations reflects changes of contact, name, form and result', async () => {
    const { admin } = product;
    const say = (fields: object) => admin.post('/messages', { conversation, ...fields });
    await admin.request('PATCH', `/contacts/${contact}`, {
      profile: { name: 'Grace', email: 'grace@navy.mil' },
    });
    expect([await search('grace navy broken'), await search('ada')]).toEqual([[conversation], []]);
    await say({ type: 'field', text: '.familyName Hopper' });
    await say({ type: 'command', text: '/set name Cobol question' });
    expect([await search('hopper cobol'), await search('broken')]).toEqual([[conversation], []]);
    const form = (await admin.post('/forms', { name: 'Intake', type: 'topic' })).body.id;
    const results = [{ form, formName: 'Intake', type: 'topic', values: { colour: 'Türkis' } }];
    expect((await say({ type: 'results', text: 'done', results })).status).toBe(201);
    expect(await search('intake turk grace')).toEqual([conversation]);
  });

  test('a search for conversations has pages like a list', async () => {
    const { headers, body } = await product.admin.get('/conversations/search?q=question&limit=1&select=name');
    expect(body).toEqual([{ id: conversation, name: 'Cobol question' }]);
    expect([headers.get('x-total'), headers.get('x-range'), headers.get('x-page')]).toEqual([
      '1',
      '0-0',
      '1',
    ]);
  });

  test('a search for conversations returns nothing from a parent organization, and requires scope agent', async () => {
    const team = (await product.admin.post('/organizations', { name: 'team' })).body.id;
    const agent = await newUser(product, { role: 'agent', organization: team });
    expect((await agent.get('/conversations/search?q=cobol')).body).toEqual([]);
    const viewer = await newUser(product, { role: 'viewer' });
    expect((await viewer.get('/conversations/search?q=cobol')).status).toBe(403);
  });

  test.each([
    '',
    'q=',
    'q=%21%21',
    `q=${'a'.repeat(257)}`,
    'q=a&status=closed',
    'q=a&sort=name',
    'q=a&sort=id',
    'q=a&limit=0',
  ])('a search for conversations rejects ?%s with 400', async (query) => {
    expect((await product.admin.get(`/conversations/search?${query}`)).status).toBe(400);
  });

  test('a search for conversations does not find a deleted conversation', async () => {
    await product.admin.request('DELETE', `/conversations/${conversation}`);
    expect(await search('cobol')).toEqual([]);
  });
});
