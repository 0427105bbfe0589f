import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { arrivals, firstArrivals } from '../support/arrivals.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhook } from '../support/listening.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';

let product: Product;
let admin: ApiClient;
let receiver: Receiver;

beforeAll(async () => {
  product = await sharedApi('announcements');
  ({ admin } = product);
  receiver = await startReceiver();
});

afterAll(async () => {
  await product.close();
  await receiver.close();
});

/**
 * Waits for `count` events at a receiver and returns all its events in order of arrival, without
 * repetitions.
 */
async function heard(count: number, from = receiver): Promise<any[]> {
  await eventually(() => firstArrivals(from).length >= count);
  return firstArrivals(from).map(({ json }) => json);
}

async function listen(events: string[], organization = product.organization) {
  const to = await startReceiver();
  const { id } = await createWebhook(admin, { url: to.url, events }, { organization });
  return { to, service: id as string };
}

/** Makes the last notice about failures of an event type look two minutes old. */
async function makeNoticesOld(eventtype: string): Promise<void> {
  const mongodb = await MongoClient.connect(inject('mongodbUri'));
  // The database of the product that test files share (test/support/server-pool.ts).
  const failures = mongodb.db('shared').collection<{ _id: string }>('eventfailures');
  const notifiedAt = new Date(Date.now() - 120_000);
  const { matchedCount } = await failures.updateOne({ _id: eventtype }, { $set: { notifiedAt } });
  expect(matchedCount).toBe(1);
  await mongodb.close();
}

describe('events outside conversations', () => {
  test('events outside conversations contain the state of the record at each creation, change and deletion, and arrive in order', async () => {
    const { to } = await listen(['organization', 'user', 'contact']);
    const organization = (await admin.post('/organizations', { name: 'Below' })).body;
    const user = (
      await admin.post('/users', {
        role: 'agent',
        organization: organization.id,
        password: 'a long password',
      })
    ).body;
    const renamed = await admin.request('PATCH', `/users/${user.id}`, { givenName: 'Ada' });
    await admin.request('DELETE', `/users/${user.id}`);
    const { id } = organization;
    const contact = (await admin.post('/contacts', { organization: id, profile: { name: 'Bob' } })).body;
    const events = await heard(5, to);
    expect(events.map(({ event }) => event)).toEqual([
      'organization.create',
      'user.create',
      'user.update',
      'user.delete',
      'contact.create',
    ]);
    expect(events[0]).toMatchObject({ organization: organization.id, data: { organization } });
    expect(events[1].data).toEqual({ user });
    expect(events[2].data).toMatchObject({
      user: renamed.body,
      previous: { givenName: user.givenName ?? null },
    });
    expect(events[3].data).toEqual({ user: renamed.body });
    expect(events[4]).toMatchObject({
      organization: id,
      data: { contact },
      activity: {
        type: 'Create',
        actor: { type: 'Person' },
        object: { type: 'Person', id: `${product.base}/contacts/${contact.id}` },
        summary: 'A user created a contact.',
      },
    });
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(JSON.stringify(events)).not.toContain('password');
    await to.close();
  });

  test('events outside conversations are not published for refused requests', async () => {
    const { to } = await listen(['user', 'contact']);
    expect((await admin.post('/users', { role: 'nobody' })).status).toBe(400);
    expect((await admin.request('DELETE', `/users/${'0'.repeat(24)}`)).status).toBe(404);
    expect((await admin.post('/contacts', { profile: { telephone: '12' } })).status).toBe(422);
    await admin.post('/contacts', { profile: { name: 'Carl' } });
    const [first] = await heard(1, to);
    expect(first).toMatchObject({
      event: 'contact.create',
      data: { contact: { profile: { name: 'Carl' } } },
    });
    await to.close();
  });

  test('events about a login contain the user and no tokens', async () => {
    const { to } = await listen(['user.login']);
    const password = 'correct horse battery staple';
    const user = (await admin.post('/users', { role: 'bot', email: 'login@example.com', password })).body;
    const { token } = await signIn(product.base, { email: 'login@example.com', password });
    const [login] = await heard(1, to);
    expect(login).toMatchObject({
      event: 'user.login',
      data: { user },
      activity: { type: 'Arrive', actor: { type: 'Application' }, summary: 'A bot logged in.' },
    });
    expect(JSON.stringify(login)).not.toContain(token);
    await to.close();
  });

  test('the owner of an event type receives eventtype.error for its first failure, and not for each of a flood', async () => {
    const { to } = await listen(['eventtype.error']);
    const stranger = (await admin.post('/organizations', { name: 'Not the owner' })).body.id;
    const { to: aside } = await listen(['eventtype.error'], stranger);
    const bot = await newUser(product, { role: 'bot' });
    const [first, second] = await Promise.all(
      ['failing.first', 'failing.second'].map((name) => newEventType(product, name, '$error("no")')),
    );
    const sent = await bot.post('/events/failing.first', { order: 1 });
    const failed = (await bot.get('/events?name=failing.first')).body[0];
    expect([sent.status, failed.status]).toEqual([422, 'failed']);
    await Promise.all(Array.from({ length: 5 }, () => bot.post('/events/failing.first', {})));
    // Published later: with it, all notifications of the first type have arrived.
    await bot.post('/events/failing.second', {});
    const events = await heard(2, to);
    expect(events.map(({ data }) => data.eventtype.id)).toEqual([first, second]);
    expect(events[0]).toMatchObject({
      event: 'eventtype.error',
      organization: product.organization,
      activity: { type: 'Flag', summary: 'A bot sent an event that failed.' },
      data: {
        eventtype: { name: 'failing.first', jsonata: '$error("no")' },
        error: { event: failed.id, name: 'failing.first', message: failed.error.message, count: 1 },
      },
    });
    // Five failures follow the first notice, and no later failure reports them.
    await makeNoticesOld(first!);
    const [, , further] = await heard(3, to);
    expect([further.event, further.data.eventtype.id, further.data.error.count]).toEqual([
      ...['eventtype.error', first, 5],
    ]);
    expect(arrivals(aside)).toEqual([]);
    await Promise.all([to.close(), aside.close()]);
  });

  test('events about services contain no secrets, and a service receives no event about its own creation', async () => {
    const { to } = await listen(['service']);
    const quiet = await startReceiver();
    const url = quiet.url.replace('http://', 'http://joe:hidden@');
    const params = { url, secret: 'a very secret secret', events: ['service'] };
    const { id } = await createWebhook(admin, params, { name: 'quiet' });
    await admin.request('PATCH', `/services/${id}`, { name: 'renamed' });
    await admin.request('DELETE', `/services/${id}`);
    const events = await heard(3, to);
    expect(events.map(({ event, data }) => [event, data.service.name])).toEqual([
      ['service.create', 'quiet'],
      ['service.update', 'renamed'],
      ['service.delete', 'renamed'],
    ]);
    expect(events[0].data.service.params).toEqual({ url: quiet.url, events: ['service'] });
    expect(JSON.stringify(events)).not.toMatch(/very secret|hidden/);
    expect(arrivals(quiet).map(({ json }) => json.event)).not.toContain('service.create');
    await Promise.all([to.close(), quiet.close()]);
  });

  test('events outside conversations reach services of the same organization and of parent organizations, but no other services and no webhooks of bots', async () => {
    const below = (await admin.post('/organizations', { name: 'Below' })).body.id;
    const beside = (await admin.post('/organizations', { name: 'Beside' })).body.id;
    const bot = await newUser(product, { role: 'bot', organization: below });
    const above = await listen(['contact.create']);
    const same = await listen(['contact.create'], below);
    const other = await listen(['contact.create'], beside);
    const botWebhook = await startReceiver();
    await admin.post('/services', {
      ...{ name: 'bot', type: 'webhook', user: bot.user },
      params: { url: botWebhook.url },
    });
    const caller = client(product.base, bot.token);
    for (const name of ['one', 'two', 'three']) await caller.post('/contacts', { profile: { name } });
    await admin.post('/contacts', { organization: beside, profile: { name: 'beside' } });
    await heard(1, other.to);
    const names = (events: any[]) => events.map(({ data }) => data.contact.profile.name);
    expect(names(await heard(3, same.to))).toEqual(['one', 'two', 'three']);
    expect(names(await heard(4, above.to)).filter((name) => name !== 'beside')).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(names(await heard(1, other.to))).toEqual(['beside']);
    expect(arrivals(botWebhook)).toEqual([]);
    await Promise.all([above, same, other].map(({ to }) => to.close()).concat(botWebhook.close()));
  });

  test('events outside conversations arrive in order of their sequences, even if many records are created at once', async () => {
    const { to } = await listen(['contact.create']);
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => admin.post('/contacts', { profile: { name: `contact ${at}` } })),
    );
    const events = await heard(30, to);
    const numbers = events.map(({ sequence }) => sequence);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(new Set(events.map(({ data }) => data.contact.id)).size).toBe(30);
    await to.close();
  });
});
