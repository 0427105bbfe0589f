import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstArrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { createRecordHelpers } from '../support/records.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';

/** Spec 4.11, 5.18 */
describe('teams', () => {
  let product: Product;
  let own: string;
  let grace: KeyHolder;
  let bruno: KeyHolder;
  let support: string;
  let sales: string;
  const { make } = createRecordHelpers(() => product);

  beforeAll(async () => {
    product = await sharedApi('teams');
    own = (await make('/organizations', { name: 'own' })).id;
    const { id: below } = await make('/organizations', { name: 'below', parent: own });
    const user = { role: 'agent', organization: own, status: 'online' };
    grace = await newUser(product, { ...user, givenName: 'Grace' });
    bruno = await newUser(product, { ...user, givenName: 'Bruno' });
    const away = await newUser(product, { ...user, status: 'offline' });
    const team = async (name: string, organization: string, members: KeyHolder[] = []) =>
      (await make('/channels', { name, organization, members: members.map((one) => ({ user: one.user })) }))
        .id;
    support = await team('Support', own, [grace, bruno, away]);
    sales = await team('Sales', own);
    await team('Branch', below);
    await team('Head office', product.organization);
    for (const one of [grace, away])
      await one.request('PUT', `/channels/${support}/online`, { online: true });
  });
  afterAll(() => product.close());

  const begin = async () => {
    const { body } = await grace.post('/conversations', { messages: [{ text: 'Hello', role: 'contact' }] });
    return body.id as string;
  };
  const say = (by: KeyHolder, id: string, text: string, meta: object = {}) =>
    by.post(`/conversations/${id}/messages`, { type: 'command', text, meta });
  const waiting = async (team: string) => {
    const { body } = await bruno.get(`/conversations?team=${team}&status=queued&populate=team`);
    return body.map(({ id, team }: any) => [id, team.name]) as string[][];
  };

  test('GET /channels/teams shows an agent the teams within reach, by name and number of members online', async () => {
    const { status, body, headers } = await bruno.get('/channels/teams?sort=-name');
    expect(status).toBe(200);
    expect(body).toEqual([
      { id: support, name: 'Support', organization: own, online: 1, isMember: true },
      { id: sales, name: 'Sales', organization: own, online: 0, isMember: false },
      expect.objectContaining({ name: 'Branch' }),
    ]);
    expect(headers.get('x-total')).toBe('3');
    expect((await bruno.get(`/channels/teams?organization=${own}&name=Sales`)).body).toHaveLength(1);
  });

  test.each([`members.user=0123456789abcdef01234567`, 'meta.a=1', 'sort=online', 'isMember=true'])(
    'GET /channels/teams rejects the hidden field in %s',
    async (query) => {
      const { status, body } = await grace.get(`/channels/teams?${query}`);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    },
  );

  test('a conversation that is assigned to a team waits for the team until an agent takes it', async () => {
    const id = await begin();
    expect((await say(grace, id, '/accept')).status).toBe(201);
    expect((await say(grace, id, '/assign', { team: support })).status).toBe(201);
    expect(await waiting(support)).toEqual([[id, 'Support']]);
    await say(bruno, id, '/accept');
    expect(await waiting(support)).toEqual([]);
    const { body } = await bruno.get(`/conversations/${id}`);
    expect(body).toMatchObject({ status: 'active', team: support });
    expect(body.participants.filter((one: any) => one.accepted).map((one: any) => one.user)).toEqual([
      bruno.user,
    ]);
    await say(bruno, id, '/assign', { team: null });
    expect((await bruno.get(`/conversations/${id}`)).body).not.toHaveProperty('team');
  });

  test('an agent may populate a team by its name, and no further field', async () => {
    const id = await begin();
    await say(grace, id, '/assign', { team: sales });
    const { body } = await grace.get(`/conversations/${id}?populate=team`);
    expect(body.team).toEqual({ id: sales, name: 'Sales' });
    expect((await grace.get(`/conversations/${id}?populate=team:members`)).status).toBe(400);
  });

  test('a team of another organization is 422 for /assign, as a team that does not exist', async () => {
    const id = await begin();
    const [foreign] = (await product.admin.get(`/channels?name=Head office`)).body;
    for (const team of [foreign.id, 'ffffffffffffffffffffffff', 'x']) {
      const { status, body } = await say(grace, id, '/assign', { team });
      expect([status, body.message]).toEqual([422, expect.stringContaining('there is no channel')]);
    }
  });

  test('a webhook has the team of a conversation, and the guest does not see it', async () => {
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['conversation.update'] };
    await make('/services', { name: 'hook', type: 'webhook', organization: own, params });
    const guest = await newUser(product, { role: 'viewer', organization: own });
    const { body: begun } = await grace.post('/conversations', {});
    await say(grace, begun.id, '/assign', { team: sales, users: [guest.user] });
    const told = await eventually(() =>
      firstArrivals(receiver).find(({ json }) => json.data.conversation?.team === sales),
    );
    expect(told.json.data.conversation.id).toBe(begun.id);
    const seen = await guest.get(`/conversations/${begun.id}`);
    expect([seen.status, seen.body.team]).toEqual([200, undefined]);
    await receiver.close();
  });
});
