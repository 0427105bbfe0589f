import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conclusive } from '../support/conclusive.ts';
import { eventually } from '../support/eventually.ts';
import { newEventType } from '../support/event-types.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const POST = (text: string) =>
  `{ "conversation": conversation, "messages": [{ "text": "${text}", "role": "bot", "isBackchannel": false, "meta": { "since": since, "timer": timer } }] }`;

interface Shown {
  text: string;
  meta?: { since: string; timer: string };
}

/** Spec 14: timers of an organization post business events. */
describe('timers', () => {
  let product: Product;
  let bot: KeyHolder;
  let agent: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('timers');
    bot = await newUser(product, { role: 'bot', givenName: 'Timer', familyName: 'Bot' });
    agent = await newUser(product, { role: 'agent' });
    await newEventType(product, 'still.there', POST('Are you still there?'));
  });
  afterAll(() => product.close());

  const timer = (fields: object = {}) => ({
    ...{ name: 'nobody', when: 'queued', after: 1_000, event: 'still.there', user: bot.user },
    ...fields,
  });
  const setTimers = (timers: object[], organization = product.organization) =>
    product.admin.request('PATCH', `/organizations/${organization}`, { timers });
  const begin = async (body: object = {}) =>
    (await product.admin.post('/conversations', body)).body.id as string;
  const readMessages = async (conversation: string): Promise<Shown[]> =>
    (await product.admin.get(`/messages?conversation=${conversation}&sort=sequence`)).body;
  const readReminders = async (conversation: string) =>
    (await readMessages(conversation)).filter(({ text }) => text === 'Are you still there?');
  const waitForReminders = (conversation: string, count: number) =>
    eventually(async () => {
      const found = await readReminders(conversation);
      return found.length >= count && found;
    });
  const timerEvents = async (conversation: string) => {
    const { body } = await product.admin.get('/events?sort=-createdAt&limit=200');
    return (body as { name: string; body: { conversation: string }; status: string }[]).filter(
      (event) => event.body.conversation === conversation,
    );
  };

  async function newChild(timers: object[], fields: object = {}): Promise<string> {
    const { status, body } = await product.admin.post('/organizations', { name: 'child', timers, ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  }

  test('a timer posts its event once, and the event type decides what is posted', async () => {
    const organization = await newChild([timer()]);
    const id = await begin({ organization });
    const [reminder] = await waitForReminders(id, 1);
    expect(reminder?.meta).toMatchObject({ timer: 'nobody' });
    const { body: conversation } = await product.admin.get(`/conversations/${id}`);
    expect(reminder?.meta?.since).toBe(conversation.createdAt);
    expect(conversation).not.toHaveProperty('timing');
    const events = await eventually(async () => {
      const found = await timerEvents(id);
      return found[0]?.status === 'processed' && found;
    });
    expect(events).toMatchObject([{ name: 'still.there', organization, createdBy: bot.user }]);
  });

  test('a timer stays silent when its state ends, and its own message does not count as a reply', async () => {
    const afterMs = 3_000;
    const organization = await newChild([
      timer({ name: 'first', when: 'waiting', after: afterMs }),
      timer({ name: 'second', when: 'waiting', after: afterMs + 1_000 }),
    ]);
    const post = async (conversation: string, role: string) => {
      const message = { conversation, text: 'Hello', role, isBackchannel: false };
      expect((await product.admin.post('/messages', message)).status).toBe(201);
    };
    const replied = await conclusive(afterMs, async () => {
      const id = await begin({ organization });
      await post(id, 'contact');
      await post(id, 'agent');
      return id;
    });
    const unanswered = await begin({ organization });
    await post(unanswered, 'contact');
    const reminders = await waitForReminders(unanswered, 2);
    // A worker runs two events of an organization at once.
    expect(reminders.map(({ meta }) => meta?.timer).sort()).toEqual(['first', 'second']);
    expect(new Set(reminders.map(({ meta }) => meta?.since)).size).toBe(1);
    expect(await readReminders(replied)).toEqual([]);
  });

  test('an organization inherits timers, replaces them by name, and turns them off', async () => {
    const above = await newChild([timer({ name: 'a' }), timer({ name: 'b' }), timer({ name: 'c' })]);
    await newEventType(product, 'still.there.below', POST('Are you still there?'));
    const own = [timer({ name: 'a', event: 'still.there.below' }), timer({ name: 'b', disabled: true })];
    const below = await newChild(own, { parent: above });
    const id = await begin({ organization: below });
    const reminders = await waitForReminders(id, 2);
    expect(reminders.map(({ meta }) => meta?.timer).sort()).toEqual(['a', 'c']);
    const events = (await timerEvents(id)).map(({ name }) => name).sort();
    expect(events).toEqual(['still.there', 'still.there.below']);
  });

  test('a changed list of timers holds at the due time of the old one', async () => {
    // A worker may use a list for five seconds, and the old timer is due after twelve.
    const id = await conclusive(12_000 - 5_000, async () => {
      const organization = await newChild([timer({ name: 'old', after: 'PT12S' })]);
      const conversation = await begin({ organization });
      await setTimers([timer({ name: 'new', after: 'PT13S' })], organization);
      return conversation;
    });
    const [reminder, ...others] = await waitForReminders(id, 1);
    expect(reminder?.meta?.timer).toBe('new');
    expect(others).toEqual([]);
    expect(await timerEvents(id)).toHaveLength(1);
  });

  test('a conversation at rest follows the first timer of its organization, and a timer that became shorter', async () => {
    const [untimed, timed] = [await newChild([]), await newChild([timer({ after: 'P1D' })])];
    const [first, shorter] = [await begin({ organization: untimed }), await begin({ organization: timed })];
    const below = await begin({ organization: await newChild([], { parent: untimed }) });
    for (const organization of [untimed, timed]) await setTimers([timer()], organization);
    for (const id of [first, shorter, below]) {
      const [reminder] = await waitForReminders(id, 1);
      expect(reminder?.meta?.since).toBe((await product.admin.get(`/conversations/${id}`)).body.createdAt);
    }
  });

  test('an event without an event type waits in the log, and one of a removed bot fails there', async () => {
    const gone = await newUser(product, { role: 'bot' });
    const organization = await newChild([
      timer({ name: 'untyped', event: 'no.such.type' }),
      timer({ name: 'orphan', user: gone.user }),
    ]);
    await product.admin.request('DELETE', `/users/${gone.user}`);
    const id = await begin({ organization });
    const statuses = await eventually(async () => {
      const found = (await timerEvents(id)).map(({ status }) => status).sort();
      return found.length >= 2 && !found.includes('received') && found;
    });
    expect(statuses).toEqual(['failed', 'unrouted']);
  });

  test.each<[string, object, number, string]>([
    ['an unknown state', { when: 'bored' }, 400, 'timers.0.when'],
    ['no time', { after: 0 }, 400, 'timers.0.after'],
    ['months', { after: 'P1M' }, 400, 'timers.0.after'],
    ['401 days', { after: 'P401D' }, 400, 'timers.0.after'],
    ['an unusable name of an event', { event: 'a b' }, 400, 'timers.0.event'],
    ['an unknown type of conversations', { only: { type: ['red'] } }, 400, 'timers.0.only.type.0'],
    ['an unknown user', { user: '0'.repeat(24) }, 422, 'timers.0.user'],
  ])('a timer with %s is refused', async (_, fields, status, path) => {
    const refused = await setTimers([timer(fields)]);
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([status, path]);
  });

  test.each<[string, object, number, string]>([
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 400, 'timers.0.hours.timeZone'],
    ['an impossible time', { from: '25:00' }, 400, 'timers.0.hours.week.0.from'],
    ['hours over midnight', { from: '22:00', to: '06:00' }, 400, 'timers.0.hours.week.0.to'],
    ['hours that are too short', { from: '09:00', to: '09:01' }, 422, 'timers.0.hours'],
  ])(
    'a timer with %s is refused',
    async (_, { timeZone = 'Europe/Amsterdam', ...times }: any, status, path) => {
      const hours = { timeZone, week: [{ days: ['mon'], from: '09:00', to: '17:00', ...times }] };
      const refused = await setTimers([timer({ after: 'P7D', hours })]);
      expect([refused.status, refused.body.details?.[0]?.path]).toEqual([status, path]);
    },
  );

  test('an organization lists the timers that it has and inherits, also from above the caller', async () => {
    const above = await newChild([timer({ name: 'a' }), timer({ name: 'b' })]);
    const below = await newChild([timer({ name: 'b', disabled: true })], { parent: above });
    const inside = await newUser(product, { role: 'bot', organization: below });
    const { status, body } = await inside.get(`/organizations/${below}/timers`);
    expect([status, body]).toEqual([
      200,
      [
        timer({ name: 'b', disabled: true, organization: below }),
        timer({ name: 'a', organization: above }),
        timer({ name: 'b', organization: above }),
      ],
    ]);
    expect((await inside.get(`/organizations/${above}/timers`)).status).toBe(404);
    expect((await agent.get(`/organizations/${below}/timers`)).status).toBe(403);
  });

  test('an admin turns off an inherited timer whose bot is out of reach', async () => {
    const below = await newChild([], { parent: await newChild([timer()]) });
    const admin = await newUser(product, { role: 'admin', organization: below });
    const off = { timers: [timer({ disabled: true })] };
    expect((await admin.request('PATCH', `/organizations/${below}`, off)).status).toBe(200);
    const stranger = await newUser(product, { role: 'bot', organization: await newChild([]) });
    const other = { timers: [timer({ user: stranger.user })] };
    expect((await admin.request('PATCH', `/organizations/${below}`, other)).status).toBe(422);
  });

  test('a timer needs a bot, a unique name, and a place among ten', async () => {
    const many = Array.from({ length: 6 }, (_, at) => timer({ name: `n${at}` }));
    const other = await newChild([]);
    const stranger = await newUser(product, { role: 'bot', organization: other });
    const below = await newChild(many.map((one, at) => ({ ...one, name: `b${at}` })));
    const refusals = [
      await setTimers([timer({ user: agent.user })]),
      await setTimers([timer({ user: stranger.user })]),
      await setTimers([timer(), timer()]),
      await setTimers([...many, ...many]),
      await product.admin.post('/organizations', { name: 'x', parent: below, timers: many }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422, 400, 422]);
    expect((await agent.request('PATCH', `/organizations/${other}`, { timers: [] })).status).toBe(403);
  });
});
