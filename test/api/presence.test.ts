import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conclusive } from '../support/conclusive.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/stream.ts';
import type { StreamListener } from '../support/stream.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

let product: Product;
let second: { base: string };
let agent: KeyHolder;
const listeners: StreamListener[] = [];

beforeAll(async () => {
  product = await sharedApi('presence');
  second = await secondSharedApi();
  agent = await newUser(product, {
    role: 'agent',
    givenName: 'Grace',
    familyName: 'Hopper',
    avatar: 'https://example.com/grace.png',
    email: 'grace-presence@example.com',
    meta: { salary: 'secret' },
  });
});
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close()));
  await product.close();
});

async function newConversation() {
  const { body } = await product.admin.post('/conversations', { type: 'contact' });
  const page = `${product.origin}/c/${body.slug}`;
  const put = async (what: string, said: unknown) => {
    const response = await fetch(`${page}/${what}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(said),
    });
    return response.status;
  };
  return { id: body.id as string, page, put };
}

async function hear(url: string, token?: string): Promise<StreamListener> {
  const listener = await listen(url, token === undefined ? {} : { token });
  listeners.push(listener);
  await listener.until(({ event }) => event === 'conversation');
  return listener;
}

const typingOf = (listener: StreamListener) =>
  listener.heard.filter(({ event }) => event === 'typing').map(({ data }) => data.typing);

describe('typing', () => {
  test('an agent who types is shown to the contact with name and avatar, in every process, until typing ends', async () => {
    const { id, page } = await newConversation();
    const { body: before } = await product.admin.get(`/conversations/${id}`);
    const contact = await hear(`${page}/stream`);
    const other = await hear(`${second.base}/conversations/${id}/stream`, product.token);
    const own = await hear(`${product.base}/conversations/${id}/stream`, agent.token);
    const say = (typing: boolean) => agent.request('PUT', `/conversations/${id}/typing`, { typing });
    expect((await say(true)).status).toBe(204);
    await eventually(() => typingOf(contact).length >= 1);
    expect(typingOf(contact)[0]).toEqual([
      {
        role: 'agent',
        until: expect.any(String),
        author: { name: 'Grace Hopper', avatar: 'https://example.com/grace.png' },
      },
    ]);
    await eventually(() => typingOf(other).length >= 1);
    expect(typingOf(other)[0]).toEqual([{ role: 'agent', user: agent.user, until: expect.any(String) }]);
    await say(false);
    await eventually(() => typingOf(contact).at(-1)?.length === 0);
    await say(true);
    await eventually(() => (typingOf(contact).at(-1) ?? []).length >= 1);
    // Typing expires without another request.
    await eventually(() => typingOf(contact).at(-1)?.length === 0);
    // A user who types gets no typing event about themselves.
    expect(typingOf(own)).toEqual([]);
    const messages = await product.admin.get(`/conversations/${id}/messages`);
    expect(messages.body).toEqual([]);
    expect((await product.admin.get(`/conversations/${id}`)).body).toEqual(before);
  });

  test('typing ends when the message of the typist is posted, and later streams show none', async () => {
    const colleague = await newUser(product, { role: 'agent' });
    // Typing ends by itself after ten seconds.
    await conclusive(9_000, async () => {
      const { id, page, put } = await newConversation();
      const agents = await hear(`${second.base}/conversations/${id}/stream`, product.token);
      const type = (by: KeyHolder) => by.request('PUT', `/conversations/${id}/typing`, { typing: true });
      const say = (body: object) => agent.post(`/conversations/${id}/messages`, { role: 'agent', ...body });
      await put('typing', { typing: true });
      await type(agent);
      await eventually(() => typingOf(agents).at(-1)?.length === 2);
      await say({ text: 'a note', isBackchannel: true });
      await type(colleague);
      await eventually(() => typingOf(agents).at(-1)?.length === 3);
      await say({ text: 'here it is' });
      const body = JSON.stringify({ key: 'typed', text: 'thank you' });
      const headers = { 'Content-Type': 'application/json' };
      expect((await fetch(`${page}/messages`, { method: 'POST', headers, body })).status).toBe(201);
      const reloaded = await hear(`${product.base}/conversations/${id}/stream`, product.token);
      await eventually(() => typingOf(agents).at(-1)?.length === 1 && typingOf(reloaded).length > 0);
      for (const one of [agents, reloaded])
        expect(typingOf(one).at(-1)).toEqual([expect.objectContaining({ user: colleague.user })]);
    });
  });

  test('a contact who types is shown to agents, but not to the contact', async () => {
    const { id, page, put } = await newConversation();
    const contact = await hear(`${page}/stream`);
    const agents = await hear(`${second.base}/conversations/${id}/stream`, agent.token);
    expect(await put('typing', { typing: true })).toBe(204);
    await eventually(() => typingOf(agents).length >= 1);
    expect(typingOf(agents)[0]).toEqual([{ role: 'contact', until: expect.any(String) }]);
    await put('typing', { typing: false });
    await eventually(() => typingOf(agents).at(-1)?.length === 0);
    expect(typingOf(contact)).toEqual([]);
  });

  test.each([[{}], [{ typing: 'yes' }], [{ typing: null }], [[]]])(
    'a typing request rejects the body %j',
    async (body) => {
      const { id, put } = await newConversation();
      expect((await agent.request('PUT', `/conversations/${id}/typing`, body)).status).toBe(400);
      expect(await put('typing', body)).toBe(400);
    },
  );

  test('a typing request requires scope agent and a conversation within reach', async () => {
    const { id } = await newConversation();
    const guest = await newUser(product, { role: 'viewer' });
    const path = `/conversations/${id}/typing`;
    expect((await guest.request('PUT', path, { typing: true })).status).toBe(403);
    const below = (await product.admin.post('/organizations', { name: 'below' })).body.id as string;
    const stranger = await newUser(product, { role: 'agent', organization: below });
    expect((await stranger.request('PUT', path, { typing: true })).status).toBe(404);
  });
});

describe('a read receipt', () => {
  test('a read receipt of the contact reaches current and later agents, never decreases, and updates the unread count', async () => {
    const { id, page, put } = await newConversation();
    const unread = async () => ((await (await fetch(`${page}/unread`)).json()) as { unread: number }).unread;
    const agents = await hear(`${product.base}/conversations/${id}/stream`, agent.token);
    for (const text of ['one', 'two', 'three'])
      await agent.post(`/conversations/${id}/messages`, { text, role: 'agent' });
    await agent.post(`/conversations/${id}/messages`, { text: 'hush', isBackchannel: true });
    expect(await unread()).toBe(3);
    expect(await put('read', { sequence: 2 })).toBe(204);
    const first = await agents.until(({ event }) => event === 'read');
    expect(first.data).toEqual({ conversation: id, role: 'contact', sequence: 2, at: expect.any(String) });
    expect(await unread()).toBe(1);
    await put('read', { sequence: 1 });
    // A sequence beyond the last message counts as the last message.
    await put('read', { sequence: 9_000 });
    await agents.until(({ event, data }) => event === 'read' && data.sequence === 4);
    expect(await unread()).toBe(0);
    const later = await hear(`${second.base}/conversations/${id}/stream`, agent.token);
    await later.until(({ event, data }) => event === 'read' && data.sequence === 4);
    for (const wrong of [{}, { sequence: -1 }, { sequence: 1.5 }, { sequence: '1' }])
      expect(await put('read', wrong)).toBe(400);
  });

  test('a read receipt of an agent reaches the contact only when the agent has no unread messages', async () => {
    const { id, page } = await newConversation();
    const contact = await hear(`${page}/stream`);
    const say = async (key: string) =>
      fetch(`${page}/messages`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ key, text: key }),
      });
    const read = async () => ((await (await fetch(`${page}/messages`)).json()) as { read?: number }).read;
    await say('one');
    // Bots, and agents who have not accepted, do not count as readers.
    const bot = await newUser(product, { role: 'bot' });
    await bot.post(`/conversations/${id}/messages`, { text: 'beep', isBackchannel: false });
    expect(await read()).toBeUndefined();
    await agent.post(`/conversations/${id}/messages`, { text: 'hello', role: 'agent' });
    expect(await read()).toBe(3);
    await say('two');
    expect(await read()).toBe(3);
    expect((await agent.request('PUT', `/conversations/${id}/read`)).status).toBe(204);
    await contact.until(({ event, data }) => event === 'conversation' && data.read === 4);
    expect(await read()).toBe(4);
    // The chat page gets the sequence that was read, but not the user who read it.
    for (const { data } of contact.heard.filter(({ event }) => event === 'conversation'))
      expect(
        Object.keys(data as object).filter((name) => !['status', 'people', 'read'].includes(name)),
      ).toEqual([]);
  });
});

describe('the author of a message', () => {
  test('the author of a message is shown to the contact if the user has a name and the role of the message, and the email is never shown', async () => {
    const { id, page } = await newConversation();
    const contact = await hear(`${page}/stream`);
    const nameless = await newUser(product, { role: 'agent', email: 'nameless-presence@example.com' });
    const bot = await newUser(product, { role: 'bot', givenName: 'Robo' });
    const said = { isBackchannel: false };
    await agent.post(`/conversations/${id}/messages`, { ...said, text: 'agent', role: 'agent' });
    await nameless.post(`/conversations/${id}/messages`, { ...said, text: 'nameless', role: 'agent' });
    await bot.post(`/conversations/${id}/messages`, { ...said, text: 'bot' });
    await product.admin.post(`/conversations/${id}/messages`, { ...said, text: 'integration' });
    await bot.post(`/conversations/${id}/messages`, { ...said, text: 'relayed', role: 'contact' });
    const grace = { name: 'Grace Hopper', avatar: 'https://example.com/grace.png' };
    const authors = [grace, undefined, { name: 'Robo' }, undefined, undefined];
    const read = (await (await fetch(`${page}/messages`)).json()) as { messages: { author?: object }[] };
    expect(read.messages.map(({ author }) => author)).toEqual(authors);
    await eventually(() => contact.texts().length >= 5);
    const heard = contact.heard.filter(({ event }) => event === 'message');
    expect(heard.map(({ data }) => data.author)).toEqual(authors);
    const all = JSON.stringify(read) + contact.raw();
    expect(all).not.toMatch(/presence@example|salary|secret/);
    for (const { user } of [agent, nameless, bot]) expect(all).not.toContain(user);
  });
});

test('typing and read requests for a deleted conversation get 404', async () => {
  const { id, put, page } = await newConversation();
  await agent.post(`/conversations/${id}/messages`, { text: 'one', role: 'agent' });
  await put('read', { sequence: 1 });
  expect((await product.admin.request('DELETE', `/conversations/${id}`)).status).toBe(204);
  expect(await put('read', { sequence: 1 })).toBe(404);
  expect(await put('typing', { typing: true })).toBe(404);
  expect((await fetch(`${page}/unread`)).status).toBe(404);
});
