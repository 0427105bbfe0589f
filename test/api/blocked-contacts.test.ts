import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { newChannel } from '../support/channel.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newWidget, postAsVisitor, signText, start } from '../support/website.ts';

const WORDS = 'Messages cannot be sent here at the moment.';

/** Spec 4.13 */
describe('a blocked contact', () => {
  let product: Product;
  let agent: KeyHolder;
  let count = 0;

  beforeAll(async () => {
    product = await sharedApi('blocked_contacts');
    agent = await newUser(product, { role: 'agent' });
  });
  afterAll(() => product.close());

  const talk = async (contact: object = {}, organization = product.organization) => {
    const { body } = await product.admin.post('/conversations', {
      organization,
      type: 'contact',
      contact: { externalId: `blocked-${(count += 1)}`, ...contact },
      messages: [{ text: 'Hello', role: 'contact' }],
    });
    return body as { id: string; slug: string; contact: string };
  };
  const block = (contact: string, blocked = true, by: Pick<KeyHolder, 'request'> = agent) =>
    by.request('PUT', `/contacts/${contact}/blocked`, { blocked });
  const say = (slug: string, text: string) => postAsVisitor(product.origin, slug, { key: text, text });
  const textsOf = async (conversation: string) => {
    const { body } = await product.admin.get(`/conversations/${conversation}/messages`);
    return body.map(({ text }: { text: string }) => text) as string[];
  };
  const refused = async () => {
    const text = await (await fetch(`${product.origin}/metrics`)).text();
    return Number(/^parlance_blocked_posts_total\{origin="page"\} (\d+)$/m.exec(text)?.[1]);
  };

  test('a blocked contact is refused on the chat page with neutral words, nothing changes, and unblocking lets messages in', async () => {
    const { id, slug, contact } = await talk();
    await product.admin.post(`/conversations/${id}/messages`, {
      type: 'command',
      text: '/set status closed',
    });
    // A block is published as a change of the conversation.
    const read = async () => ({ ...(await product.admin.get(`/conversations/${id}`)).body, updatedAt: '' });
    const before = await read();
    const counted = await refused();
    expect(await block(contact)).toMatchObject({ status: 200, body: { id: contact, blocked: true } });
    const answer = await say(slug, 'Still there?');
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([403, 'forbidden', WORDS]);
    const file = await fetch(`${product.origin}/c/${slug}/files?name=a.txt`, { method: 'POST', body: 'a' });
    expect(file.status).toBe(403);
    await eventually(async () => (await refused()) >= counted + 2);
    expect(await read()).toEqual(before);
    expect((await fetch(`${product.origin}/c/${slug}/messages`)).status).toBe(200);
    await block(contact, false);
    expect((await product.admin.get(`/contacts/${contact}`)).body).not.toHaveProperty('blocked');
    expect((await say(slug, 'And now?')).status).toBe(201);
    expect(await textsOf(id)).toEqual(['Hello', '/set status closed', 'And now?']);
  });

  test('a typing blocked contact is not shown to the agents', async () => {
    const { id, slug, contact } = await talk();
    await block(contact);
    const stream = await fetch(`${product.base}/conversations/${id}/stream`, {
      headers: { Authorization: `Bearer ${product.token}` },
    });
    const typing = { method: 'PUT', body: JSON.stringify({ typing: true }) };
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${product.origin}/c/${slug}/typing`, { ...typing, headers })).status).toBe(204);
    await agent.request('PUT', `/conversations/${id}/typing`, { typing: true });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(agent.user) || !text.includes('event: typing'))
      text += (await reader.read()).value ?? '';
    expect(text).not.toContain('"role":"contact","until"');
    await reader.cancel();
  });

  test('a guest is refused in the conversation of a blocked contact', async () => {
    const viewer = await newUser(product, { role: 'viewer' });
    const { id, contact } = await talk();
    await product.admin.post(`/conversations/${id}/messages`, {
      type: 'command',
      text: '/assign',
      meta: { users: [viewer.user] },
    });
    await block(contact);
    const answer = await viewer.post(`/conversations/${id}/messages`, { text: 'As a guest' });
    expect([answer.status, answer.body.message]).toEqual([403, WORDS]);
  });

  test('a visitor whom the widget has verified begins no conversation while the contact is blocked', async () => {
    const shop = await newWidget(product, { origins: ['https://shop.example'] });
    const secret = (await product.admin.post(`/organizations/${shop.id}/widget/secret`, {})).body
      .secret as string;
    const email = `verified-${(count += 1)}@example.com`;
    const made = await product.admin.post('/contacts', {
      organization: shop.id,
      profile: { email },
      blocked: true,
    });
    expect(made.status).toBe(201);
    const visitor = { email, signature: signText(secret, email) };
    const { slug } = await start(product.origin, shop.id, { from: 'https://shop.example', visitor });
    expect((await say(slug, 'Hello')).status).toBe(403);
    expect((await product.admin.get(`/conversations?organization=${shop.id}`)).body).toEqual([]);
    await block(made.body.id as string, false, product.admin);
    expect((await say(slug, 'Hello')).status).toBe(201);
  });

  test('a message of a blocked contact by a channel is confirmed, posts nothing, and is not sent again', async () => {
    const channel = await newChannel(product);
    const { from, conversation } = await channel.write('Hello');
    const { contact } = (await product.admin.get(`/conversations/${conversation}`)).body;
    await block(contact);
    const entry = { id: 'blocked', from: { id: from }, messages: [{ text: 'Again' }] };
    const taken = await product.admin.post(`/services/${channel.id}/inbound`, { entries: [entry] });
    expect(taken.status).toBe(202);
    const rows = await eventually(async () => {
      const { body } = await product.admin.get(
        `/deliveries?service=${channel.id}&direction=in&status=delivered&sort=-createdAt`,
      );
      return body.length >= 2 && body;
    });
    const { attempts } = (await product.admin.get(`/deliveries/${rows[0].id}`)).body;
    expect(attempts.map((one: any) => one.reply)).toEqual(['Not posted: the contact is blocked.']);
    expect(await textsOf(conversation)).toEqual(['Hello']);
    await block(contact, false);
    await channel.write('Back again', from);
    expect(await textsOf(conversation)).toEqual(['Hello', 'Back again']);
    await channel.close();
  });

  test('agents, bots and upserts still write to a blocked contact', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const { id, contact } = await talk({ externalId: 'blocked-upsert' });
    await block(contact);
    const path = `/conversations/${id}/messages`;
    expect((await agent.post(path, { text: 'Your refund', role: 'agent' })).status).toBe(201);
    expect((await bot.post(path, { text: 'Your order' })).status).toBe(201);
    const upsert = { contact: { externalId: 'blocked-upsert' }, messages: [{ text: 'By the shop' }] };
    expect((await bot.post('/conversations', upsert)).status).toBe(200);
    expect(await textsOf(id)).toEqual(['Hello', 'Your refund', 'Your order', 'By the shop']);
  });

  test.each([
    ['the survivor', [true, false]],
    ['the other', [false, true]],
  ])('a merge keeps the block of %s', async (_, [first = false, second = false]) => {
    const [survivor, other] = [await talk(), await talk()];
    await block(survivor.contact, first);
    await block(other.contact, second);
    const merged = await product.admin.post(`/contacts/${survivor.contact}/merge`, {
      contact: other.contact,
    });
    expect([merged.status, merged.body.blocked]).toEqual([200, true]);
    expect((await say(other.slug, 'It is me')).status).toBe(403);
  });

  test('a block publishes contact.update once, is found by a filter, and is shown beside a conversation', async () => {
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['contact.update'] };
    await product.admin.post('/services', { name: 'blocks', type: 'webhook', params });
    const { id, contact } = await talk();
    await block(contact);
    await block(contact);
    await block(contact, false);
    const told = await eventually(() => {
      const all = arrivals(receiver).filter(({ json }) => json.data.contact?.id === contact);
      return all.some(({ json }) => json.data.contact.blocked === undefined) && all;
    });
    expect(new Set(told.map(({ json }) => json.id)).size).toBe(2);
    await block(contact);
    const found = await agent.get('/contacts?blocked=true&select=blocked');
    expect(found.body).toContainEqual({ id: contact, blocked: true });
    const { body } = await agent.get(`/conversations/${id}?populate=contact:blocked`);
    expect(body.contact).toEqual({ id: contact, blocked: true });
    await receiver.close();
  });

  test('a block and a changed profile reach the streams and the changed conversations of other agents, and repeat no webhook', async () => {
    const receiver = await startReceiver();
    const { id, contact } = await talk();
    const params = { url: receiver.url, events: ['conversation.update', 'contact.update'] };
    await product.admin.post('/services', { name: 'quiet blocks', type: 'webhook', params });
    const read = async () =>
      (await agent.get(`/conversations/${id}?select=updatedAt`)).body.updatedAt as string;
    const change = async (work: () => Promise<{ status: number }>) => {
      const before = await read();
      expect((await work()).status).toBe(200);
      return eventually(async () => {
        const after = await read();
        return after > before && after;
      });
    };
    const at = await change(() => block(contact));
    await block(contact);
    expect(await read()).toBe(at);
    await change(() => agent.request('PATCH', `/contacts/${contact}/profile`, { givenName: 'Jan' }));
    const told = await eventually(() => {
      const all = arrivals(receiver).map(({ json }) => json);
      return all.some(({ data }) => data.contact?.profile.givenName === 'Jan') && all;
    });
    expect(told.filter(({ event }) => event === 'conversation.update')).toEqual([]);
    await receiver.close();
  });

  test('a guest cannot block, and a contact out of reach is 404', async () => {
    const viewer = await newUser(product, { role: 'viewer' });
    const { contact } = await talk();
    expect((await block(contact, true, viewer)).status).toBe(403);
    expect((await block('ffffffffffffffffffffffff')).status).toBe(404);
    expect((await agent.request('PUT', `/contacts/${contact}/blocked`, {})).status).toBe(400);
  });
});
