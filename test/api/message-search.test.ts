import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 6.12. */
describe('a search for messages', () => {
  let product: Product;
  let conversation: string;
  let other: string;

  const post = async (text: string, fields: object = {}, to = conversation) => {
    const { status, body } = await product.admin.post('/messages', { conversation: to, text, ...fields });
    expect([text, status]).toEqual([text, 201]);
    return body.id as string;
  };
  const create = async () => (await product.admin.post('/conversations', {})).body.id as string;

  beforeAll(async () => {
    product = await sharedApi('message_search');
    [conversation, other] = [await create(), await create()];
    await post('My order 48213 has a broken brake', { role: 'contact' });
    await post('Do you need a new casco for the Gravel 3?', { role: 'agent', isBackchannel: false });
    await post('She also called about the casco', { role: 'agent', isBackchannel: true });
    await post('A casco, please', { role: 'contact' }, other);
    await post('我想买一辆自行车', { role: 'contact' });
  });
  afterAll(() => product.close());

  const search = async (q: string, query = '') => {
    const { status, body } = await product.admin.get(`/messages/search?q=${encodeURIComponent(q)}${query}`);
    expect([q, status]).toEqual([q, 200]);
    return (body as { text: string }[]).map(({ text }) => text);
  };

  test('a search for messages finds what contacts, agents and bots wrote, the newest first', async () => {
    expect(await search('casco')).toEqual([
      'A casco, please',
      'She also called about the casco',
      'Do you need a new casco for the Gravel 3?',
    ]);
    for (const q of ['48213', 'BROKEN bra', 'bräke order'])
      expect([q, await search(q)]).toEqual([q, ['My order 48213 has a broken brake']]);
    expect(await search('roken')).toEqual([]);
    expect(await search('自行')).toEqual(['我想买一辆自行车']);
  });

  test('a search for messages can be narrowed to a conversation, and has pages like a list', async () => {
    expect(await search('casco', `&conversation=${other}`)).toEqual(['A casco, please']);
    const { headers, body } = await product.admin.get('/messages/search?q=casco&limit=1&offset=1');
    expect(body).toMatchObject([{ text: 'She also called about the casco', conversation }]);
    expect(body[0]).not.toHaveProperty('words');
    expect([headers.get('x-total'), headers.get('x-range')]).toEqual(['3', '1-1']);
  });

  test('a search for messages finds titles of items and values of results, no markup and no commands', async () => {
    await post('Our bikes', { items: [{ title: 'Zephyr', description: 'with a basket' }] });
    await post('<p class="quagga">A <b>tandem</b></p>', { contentType: 'text/html' });
    await post('/set category Unicorn', { type: 'command' });
    expect(await search('zephyr basket')).toEqual(['Our bikes']);
    expect(await search('tandem')).toHaveLength(1);
    for (const q of ['quagga', 'unicorn']) expect([q, await search(q)]).toEqual([q, []]);
  });

  test('a search for messages finds the new text of an edited message, and no deleted message', async () => {
    const id = await post('a typographical eror');
    await product.admin.request('PATCH', `/messages/${id}`, { text: 'a mistake' });
    expect([await search('typographical'), await search('mistake')]).toEqual([[], ['a mistake']]);
    await product.admin.request('DELETE', `/messages/${id}`);
    expect(await search('mistake')).toEqual([]);
  });

  test('a search for messages finds a delayed message once it is sent', async () => {
    const id = await post('a reminder of tomorrow', { delay: 3_600_000 });
    expect(await search('reminder')).toEqual([]);
    await product.admin.post(`/conversations/${conversation}/hurry`, { messages: [id] });
    expect(await eventually(async () => (await search('reminder')).length > 0)).toBe(true);
  });

  test('a search for messages returns nothing from a parent organization, and requires scope agent', async () => {
    const team = (await product.admin.post('/organizations', { name: 'team' })).body.id;
    const agent = await newUser(product, { role: 'agent', organization: team });
    expect((await agent.get('/messages/search?q=casco')).body).toEqual([]);
    const viewer = await newUser(product, { role: 'viewer' });
    expect((await viewer.get('/messages/search?q=casco')).status).toBe(403);
  });

  test.each([
    '',
    'q=',
    'q=%21',
    `q=${'a'.repeat(257)}`,
    'q=a&role=bot',
    'q=a&sort=conversation',
    'q=a&limit=0',
  ])('a search for messages rejects ?%s with 400', async (query) => {
    expect((await product.admin.get(`/messages/search?${query}`)).status).toBe(400);
  });

  test('a search for messages does not find messages of a deleted conversation', async () => {
    await product.admin.request('DELETE', `/conversations/${other}`);
    expect(await search('casco', `&conversation=${other}`)).toEqual([]);
    expect(await search('casco')).toHaveLength(2);
  });
});
