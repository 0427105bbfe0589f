import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';
import { startReceiver } from '../support/receiver.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 4.3: who is online in a channel. */
describe('a channel member', () => {
  let product: Product;
  let bot: KeyHolder;
  let agent: KeyHolder;
  let channel: string;

  beforeAll(async () => {
    product = await sharedApi('channels');
    bot = await newUser(product, { role: 'bot' });
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    agent = await newUser(product, { role: 'agent' });
    channel = (await make('/channels', { name: 'day', members: [{ user: agent.user }] })).id;
  });

  const { make, patch, remove } = createRecordHelpers(() => product);
  const put = (by: KeyHolder, online: unknown, id = channel) =>
    by.request('PUT', `/channels/${id}/online`, { online });
  const status = (value: string | null, by = agent) => by.request('PATCH', '/users/me', { status: value });
  const shown = async () => (await bot.get(`/channels/${channel}`)).body.members[0].online as boolean;
  const listed = async () => {
    const { body } = await bot.get(`/channels?members={user=${agent.user};online=true}`);
    return body.some(({ id }: any) => id === channel) as boolean;
  };
  const notified = async () => {
    const conversation = (await make('/conversations', {})).id as string;
    const meta = { channels: [channel] };
    const command = { conversation, type: 'command', text: '/notify', meta };
    expect((await bot.post('/messages', command)).status).toBe(201);
    const { channels, channelsOffline } = (await bot.get(`/conversations/${conversation}`)).body;
    expect([...channels, ...channelsOffline]).toEqual([channel]);
    return channels.length === 1;
  };

  test('a channel member can change only their own online flag', async () => {
    const other = await newUser(product, { role: 'agent' });
    await patch(`/channels/${channel}`, { members: [{ user: agent.user }, { user: other.user }] });
    const { status: answered, body } = await put(agent, true);
    expect([answered, body.members]).toEqual([
      200,
      [
        { user: agent.user, online: true },
        { user: other.user, online: false },
      ],
    ]);
    expect([await shown(), await listed(), await notified()]).toEqual([true, true, true]);
    expect((await put(agent, false)).body.members[0]).toEqual({ user: agent.user, online: false });
    expect([await shown(), await listed(), await notified()]).toEqual([false, false, false]);
  });

  test('a channel member who goes online triggers channel.update', async () => {
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['channel.update'] };
    const service = await make('/services', { name: 'hook', type: 'webhook', params });
    const { body } = await put(agent, true);
    const [told] = await eventually(() => firstArrivals(receiver).length > 0 && firstArrivals(receiver));
    expect(told!.json.data.channel).toEqual(body);
    await remove(`/services/${service.id}`);
    await receiver.close();
  });

  test('a channel member may belong to a descendant of the organization that owns the channel', async () => {
    const { id: organization } = await make('/organizations', { name: 'branch' });
    const below = await newUser(product, { role: 'agent', organization });
    await patch(`/channels/${channel}`, { members: [{ user: below.user }] });
    expect((await put(below, true)).body.members).toEqual([{ user: below.user, online: true }]);
  });

  test('a request for an online flag is rejected if the caller is a guest or not a member, the channel is unknown, or the flag is not a boolean', async () => {
    const stranger = await newUser(product, { role: 'agent' });
    const { id: organization } = await make('/organizations', { name: 'beside' });
    const outside = await newUser(product, { role: 'agent', organization });
    const guest = await newUser(product, { role: 'viewer' });
    expect((await put(stranger, true)).status).toBe(422);
    expect((await put(outside, true)).status).toBe(404);
    expect((await put(agent, true, ABSENT)).status).toBe(404);
    expect((await put(guest, true)).status).toBe(403);
    for (const wrong of [undefined, null, 'yes', 1]) expect((await put(agent, wrong)).status).toBe(400);
    expect(await shown()).toBe(false);
  });

  test('a channel member counts as offline while their status is offline, and has the stored online flag afterwards', async () => {
    await put(agent, true);
    await status('offline');
    expect([await shown(), await listed(), await notified()]).toEqual([false, false, false]);
    await status('away');
    expect([await shown(), await listed(), await notified()]).toEqual([true, true, true]);
    await status('offline');
    // A flag that is set while the status is offline applies once the status changes.
    expect((await put(agent, false)).status).toBe(200);
    await status('online');
    expect([await shown(), await listed(), await notified()]).toEqual([false, false, false]);
    await status('offline');
    expect((await put(agent, true)).body.members[0].online).toBe(false);
    expect(await notified()).toBe(false);
    await status('online');
    expect([await shown(), await listed(), await notified()]).toEqual([true, true, true]);
  });

  test('a channel member counts as offline while their status is offline, even if an admin lists them as online', async () => {
    await status('offline');
    await patch(`/channels/${channel}`, { members: [{ user: agent.user, online: true }] });
    expect([await shown(), await listed(), await notified()]).toEqual([false, false, false]);
    await status(null);
    expect([await shown(), await listed(), await notified()]).toEqual([true, true, true]);
  });

  test('a channel member with a true online flag counts as online unless their status is offline, also after concurrent changes of flag and status', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        status('offline'),
        put(agent, true),
        status('online'),
        put(agent, true),
        status('offline'),
      ]);
      const offline = (await bot.get(`/users/${agent.user}`)).body.status === 'offline';
      expect([await shown(), await listed(), await notified()]).toEqual([!offline, !offline, !offline]);
    }
  });
});
