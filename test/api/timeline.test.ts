import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';

describe('the timeline of a conversation', () => {
  let product: Product;
  let agent: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('timeline');
    agent = await newUser(product, {
      role: 'agent',
      givenName: 'Ada',
      familyName: 'Lovelace',
      avatar: 'https://example.com/ada.png',
      email: 'timeline-ada@example.com',
    });
    conversation = (await product.admin.post('/conversations', {})).body.id;
    const say = (body: object) => agent.post(`/conversations/${conversation}/messages`, body);
    await say({ text: 'hello', role: 'contact' });
    await say({ text: 'good morning', role: 'agent' });
    await say({ text: 'later', role: 'agent', delay: 3_600_000 });
  });
  afterAll(() => product.close());

  test('the timeline of a conversation shows agents each message with its author, in order', async () => {
    const { status, body, headers } = await agent.get(`/conversations/${conversation}/timeline`);
    expect(status).toBe(200);
    expect(body.map(({ text }: { text: string }) => text)).toEqual(['hello', 'good morning']);
    expect(body[1].author).toEqual({
      id: agent.user,
      name: 'Ada Lovelace',
      role: 'agent',
      avatar: 'https://example.com/ada.png',
    });
    expect(body[1].author.email).toBeUndefined();
    expect(headers.get('x-total')).toBe('2');
  });

  test('the timeline of a conversation accepts list parameters and shows delayed messages on request', async () => {
    const newest = await agent.get(`/conversations/${conversation}/timeline?sort=-sequence&limit=1`);
    expect(newest.body.map(({ text }: { text: string }) => text)).toEqual(['good morning']);
    expect(newest.headers.get('link')).toContain(`/v2/conversations/${conversation}/timeline?`);
    const waiting = await agent.get(`/conversations/${conversation}/timeline?processedAt=!`);
    expect(waiting.body).toMatchObject([{ text: 'later', author: { name: 'Ada Lovelace' } }]);
  });

  test('the timeline of a conversation omits email and role of users in an ancestor of the reader’s organization', async () => {
    const organization = (await product.admin.post('/organizations', { name: 'timeline below' })).body.id;
    const below = await newUser(product, { role: 'agent', organization });
    const { id } = (await product.admin.post('/conversations', { organization })).body;
    const unnamed = await newUser(product, { role: 'admin', email: 'timeline-above@example.com' });
    await unnamed.post(`/conversations/${id}/messages`, { text: 'from above', role: 'agent' });
    await agent.post(`/conversations/${id}/messages`, { text: 'from Ada', role: 'agent' });
    const seenBelow = await below.get(`/conversations/${id}/timeline`);
    expect(seenBelow.body.map(({ author }: { author: object }) => author)).toEqual([
      { id: unnamed.user },
      { id: agent.user, name: 'Ada Lovelace', avatar: 'https://example.com/ada.png' },
    ]);
    const seenAbove = await agent.get(`/conversations/${id}/timeline`);
    expect(seenAbove.body[0].author).toEqual({
      id: unnamed.user,
      name: 'timeline-above@example.com',
      role: 'admin',
    });
  });

  test('every response omits the role of participants in an ancestor of the reader’s organization', async () => {
    const organization = (await product.admin.post('/organizations', { name: 'participants below' })).body.id;
    const below = await newUser(product, { role: 'admin', organization });
    const { id } = (await below.post('/conversations', { organization, name: 'participantsabove' })).body;
    await agent.post(`/conversations/${id}/messages`, { text: 'from Ada', role: 'agent' });
    const roles = ({ participants }: any) => participants.map((one: any) => [one.user, one.role]);
    const whole = [
      [below.user, 'admin'],
      [agent.user, 'agent'],
    ];
    const seenBelow = [[below.user, 'admin'], [agent.user]].map(([user, role]) => [user, role]);
    const one = await below.get(`/conversations/${id}`);
    expect(roles(one.body)).toEqual(seenBelow);
    expect(roles((await agent.get(`/conversations/${id}`)).body)).toEqual(whole);
    for (const path of [
      '/conversations?name=participantsabove',
      '/conversations/search?q=participantsabove',
    ]) {
      const listed = await eventually(async () => (await below.get(path)).body[0]);
      expect([path, roles(listed)]).toEqual([path, seenBelow]);
    }
    const filters = ['participants.role=agent', `participants={user=${agent.user};role=agent}`];
    for (const filter of [...filters, 'participants.status,participants.role=agent']) {
      const query = `/conversations?name=participantsabove&${filter}`;
      expect([filter, (await below.get(query)).body.length]).toEqual([filter, 0]);
      expect([filter, (await agent.get(query)).body.length]).toEqual([filter, 1]);
    }
    expect((await below.get('/conversations?participants.role=admin')).body.length).toBe(1);
    const denials = ['participants.role=!=agent', 'participants.role=!', 'participants.1.role=agent'];
    for (const asked of [
      ...denials,
      `participants={user=${agent.user};role=!=agent}`,
      'sort=participants.role',
    ]) {
      expect([asked, (await below.get(`/conversations?${asked}`)).status]).toEqual([asked, 400]);
    }
    const [message] = (await below.get(`/messages?conversation=${id}&populate=conversation`)).body;
    expect(roles(message.conversation)).toEqual(seenBelow);
    const etag = one.headers.get('etag') ?? '';
    const changed = await below.request('PATCH', `/conversations/${id}`, { name: 'b' }, { 'If-Match': etag });
    expect([changed.status, roles(changed.body)]).toEqual([200, seenBelow]);
    const sentBack = await below.request('PATCH', `/conversations/${id}`, {
      participants: one.body.participants,
    });
    expect([sentBack.status, roles(sentBack.body)]).toEqual([200, seenBelow]);
    expect(roles((await agent.get(`/conversations/${id}`)).body)).toEqual(whole);
    const stranger = await newUser(product, { role: 'agent' });
    const strange = { participants: [{ user: stranger.user }] };
    expect((await below.request('PATCH', `/conversations/${id}`, strange)).status).toBe(422);
  });

  test('the timeline of a conversation returns 404 or 403 to callers without access', async () => {
    const beside = (await product.admin.post('/organizations', { name: 'timeline beside' })).body.id;
    const stranger = await newUser(product, { role: 'agent', organization: beside });
    expect((await stranger.get(`/conversations/${conversation}/timeline`)).status).toBe(404);
    const viewer = await newUser(product, { role: 'viewer' });
    expect((await viewer.get(`/conversations/${conversation}/timeline`)).status).toBe(403);
  });
});
