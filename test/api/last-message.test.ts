import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

describe('what a list shows of a conversation', () => {
  let product: Product;
  let agent: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('last_message');
    agent = await newUser(product, { role: 'agent', givenName: 'Ada' });
  });
  afterAll(() => product.close());

  async function newConversation() {
    const { id } = (await product.admin.post('/conversations', {})).body;
    const say = async (body: object, by = agent) =>
      (await by.post(`/conversations/${id}/messages`, body)).body;
    const read = async (by: Pick<KeyHolder, 'get'> = agent) => (await by.get(`/conversations/${id}`)).body;
    return { id: id as string, say, read };
  }

  test('lastMessage is the last chat, card, postback or mention, in one line without markup', async () => {
    const { say, read } = await newConversation();
    expect((await read()).lastMessage).toBeUndefined();
    const { id } = await say({
      text: '<p>Two\n  <b>lines</b></p>',
      contentType: 'text/html',
      role: 'contact',
    });
    await say({ type: 'command', text: '/accept' });
    const lastMessage = { id, type: 'chat', text: 'Two lines', isBackchannel: false };
    expect((await read()).lastMessage).toMatchObject({
      ...lastMessage,
      role: 'contact',
      contentType: 'text/html',
    });
    const [first] = (await agent.get(`/conversations?sort=-lastMessageAt&limit=1&select=lastMessage`)).body;
    expect(first.lastMessage).toMatchObject(lastMessage);
  });

  test('lastMessage follows an edit, and after a deletion is the message before', async () => {
    const { say, read } = await newConversation();
    await say({ text: 'first', role: 'contact' });
    const { id } = await say({ text: 'second', role: 'agent' });
    await product.admin.request('PATCH', `/messages/${id}`, { text: 'second, edited' });
    expect((await read()).lastMessage).toMatchObject({ id, text: 'second, edited', user: agent.user });
    await product.admin.request('DELETE', `/messages/${id}`);
    const { lastMessage } = await read();
    expect(lastMessage).toMatchObject({ text: 'first', role: 'contact' });
    await product.admin.request('DELETE', `/messages/${lastMessage.id}`);
    expect((await read()).lastMessage).toBeUndefined();
  });

  test('unread counts and lastMessageAt are right after unread messages were deleted', async () => {
    const { id, say, read } = await newConversation();
    const reader = await newUser(product, { role: 'agent' });
    const { createdAt } = await read();
    await say({ type: 'command', text: '/join' }, reader);
    const first = await say({ text: 'read', role: 'contact' });
    await reader.request('PUT', `/conversations/${id}/read`);
    const second = await say({ text: 'unread', role: 'contact' });
    const third = await say({ text: 'unread too', role: 'contact' });
    const state = async () => {
      const { participants, lastMessageAt } = await read();
      const own = participants.find(({ user }: { user: string }) => user === reader.user);
      return [own.unreadCount, lastMessageAt];
    };
    const remove = (message: { id: string }) => product.admin.request('DELETE', `/messages/${message.id}`);
    expect(await state()).toEqual([2, third.processedAt]);
    await remove(first);
    expect(await state()).toEqual([2, third.processedAt]);
    await remove(third);
    expect(await state()).toEqual([1, second.processedAt]);
    await remove(second);
    expect(await state()).toEqual([0, createdAt]);
  });

  test('a guest does not see a lastMessage of the back channel', async () => {
    const { id, say, read } = await newConversation();
    const guest = await newUser(product, { role: 'viewer' });
    await product.admin.request('PATCH', `/conversations/${id}`, { participants: [{ user: guest.user }] });
    await say({ text: 'said to the contact', role: 'agent' });
    expect((await read(guest)).lastMessage.text).toBe('said to the contact');
    await say({ text: 'a note', role: 'agent', isBackchannel: true });
    expect((await read(guest)).lastMessage).toBeUndefined();
    expect((await read()).lastMessage.text).toBe('a note');
  });

  test('waitingSince begins with the queue or the first message of the contact without reply, and ends with the reply', async () => {
    const { say, read } = await newConversation();
    const { createdAt, waitingSince } = await read();
    expect(waitingSince).toBe(createdAt);
    const { processedAt } = await say({ text: 'hello?', role: 'contact' });
    expect((await read()).waitingSince).toBe(processedAt);
    await say({ text: 'anybody?', role: 'contact' });
    await say({ type: 'command', text: '/accept' });
    expect((await read()).waitingSince).toBe(processedAt);
    await say({ text: 'Good morning', role: 'agent' });
    expect((await read()).waitingSince).toBeUndefined();
  });

  test('sort=waitingSince lists the queue by the longest wait', async () => {
    const [one, two] = [await newConversation(), await newConversation()];
    await one.say({ text: 'reply of a bot', role: 'bot', isBackchannel: false });
    const query = `/conversations?status=queued&sort=waitingSince&select=id&id=[${one.id},${two.id}]`;
    const list = async () => (await agent.get(query)).body.map(({ id }: { id: string }) => id);
    expect(await list()).toEqual([one.id, two.id]);
    await two.say({ type: 'command', text: '/accept' });
    expect(await list()).toEqual([one.id]);
  });

  test('a mention puts the conversation into the inbox of the mentioned colleague', async () => {
    const { say, read } = await newConversation();
    const colleague = await newUser(product, { role: 'agent' });
    await say({
      type: 'mention',
      text: '@Grace look',
      isBackchannel: true,
      meta: { targetUser: colleague.user },
    });
    expect((await read()).participants).toContainEqual(
      expect.objectContaining({ user: colleague.user, inbox: true, unreadCount: 1 }),
    );
    const mine = await colleague.get(`/conversations?participants={user=${colleague.user};inbox=true}`);
    expect(mine.body).toHaveLength(1);
  });
});
