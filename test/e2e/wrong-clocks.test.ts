import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { newUser, startApi } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnProduct } from '../support/product.ts';
import { respondWith, script, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR_MS = 3600_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const HOOK = pathToFileURL('test/support/clock-shift.mjs').href;

/**
 * Due times follow the clocks of the store and of Temporal, not the clocks of the machines that run
 * the API and the workers (docs/decisions/clocks.md).
 */
describe.each([
  ['fast', HOUR_MS],
  ['slow', -HOUR_MS],
])('on machines whose clocks become an hour %s', (way, shiftMs) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let setClock: (aheadMs: number) => Promise<void>;
  let product: OwnProduct;
  let receiver: Receiver;

  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await startReceiver();
    const file = join(folder.path, 'clock');
    product = await startApi(`clocks-${way}`, { NODE_OPTIONS: `--import ${HOOK}`, CLOCK_SHIFT_FILE: file });
    const { body } = await product.admin.post('/channels', { name: 'told by the machine' });
    setClock = async (aheadMs) => {
      await writeFile(file, String(aheadMs));
      await eventually(async () => {
        const { body: now } = await product.admin.request('PATCH', `/channels/${body.id}`, { name: 'again' });
        return Math.abs(Date.parse(now.updatedAt) - Date.now() - aheadMs) < HOUR_MS / 2;
      });
    };
    await setClock(shiftMs);
  });
  afterAll(async () => {
    await product.close();
    await receiver.close();
    await folder.remove();
  });

  test('a one-time password of a phone with the right time is accepted by a product with a wrong clock', async () => {
    const login = { email: 'phone@example.com', password: 'correct horse' };
    await product.admin.post('/users', { ...login, role: 'viewer' });
    const signIn = (more: object = {}) => client(product.base).post('/auth/token', { ...login, ...more });
    const me = client(product.base, (await signIn()).body.token);
    const { body } = await me.post('/users/me/otp', { currentPassword: login.password });
    const phone = new TOTP({ secret: Secret.fromBase32(body.secret) });
    const timestamp = Date.now();
    const [first, next] = [timestamp, timestamp + 30_000].map((at) => phone.generate({ timestamp: at }));
    expect((await me.request('PUT', '/users/me/otp', { otp: first })).status).toBe(204);
    expect((await signIn({ otp: next })).status).toBe(200);
  });

  test('with a wrong clock, a delayed message is processed after its delay, not at once and not after an hour', async () => {
    const conversation = (await product.admin.post('/conversations', {})).body.id as string;
    const before = Date.now();
    const { body } = await product.admin.post('/messages', { conversation, text: 'later', delay: 1_500 });
    expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(HOUR_MS / 2);
    const processed = await eventually(async () => {
      const { body: now } = await product.admin.get(`/messages/${body.id}`);
      return now.processedAt && now;
    });
    expect(Date.parse(processed.processedAt) - before).toBeGreaterThanOrEqual(1_400);
  });

  test('with a wrong clock, a webhook is sent at once, and is sent again after a failure and the configured wait', async () => {
    const params = { url: receiver.url, secret: SECRET, events: ['message.create.*', 'channel.create'] };
    await product.admin.post('/services', { name: 'w', type: 'webhook', params });
    receiver.behave(script(respondWith(503), respondWith(200)));
    const conversation = (await product.admin.post('/conversations', {})).body.id as string;
    await product.admin.post('/messages', { conversation, text: 'told twice' });
    await product.admin.post('/channels', { name: 'told by the API itself' });
    const posts = () => receiver.received.filter(({ method }) => method === 'POST').length;
    await eventually(() => posts() >= 3 && firstArrivals(receiver).length >= 2);
    // Receivers reject signatures whose time is minutes in the past or in the future.
    for (const { method, body, headers } of receiver.received)
      if (method === 'POST') new Webhook(SECRET).verify(body, headers as Record<string, string>);
    const { body: told } = await product.admin.get('/deliveries');
    expect(told).toHaveLength(2);
    for (const { id } of told) {
      const { body } = await product.admin.get(`/deliveries/${id}`);
      for (const { at } of body.attempts)
        expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(HOUR_MS / 2);
    }
  });

  test('a timer and a snooze whose clocks jump by two hours while they wait end once and not too early', async () => {
    const bot = await newUser(product, { role: 'bot' });
    await newEventType(product, 'fired', '{ "conversation": conversation, "messages": [{ "text": timer }] }');
    const timer = { when: 'queued', event: 'fired', user: bot.user };
    const timers = [
      { ...timer, name: 'soon', after: 4_000 },
      { ...timer, name: 'later', after: 'PT1H' },
    ];
    const { body: organization } = await product.admin.post('/organizations', { name: 'timed', timers });
    const begin = async () =>
      (await product.admin.post('/conversations', { organization: organization.id })).body.id as string;
    const events = async (conversation: string) =>
      ((await product.admin.get('/events?limit=200')).body as TimerEvent[]).filter(
        ({ body }) => body.conversation === conversation,
      );
    const [waiting, snoozed] = [await begin(), await begin()];
    await product.admin.post('/messages', { conversation: snoozed, type: 'command', text: '/snooze PT4S' });
    const { snoozedUntil } = (await product.admin.get(`/conversations/${snoozed}`)).body;
    await setClock(-shiftMs);
    await eventually(async () => (await events(waiting)).length >= 1);
    // The timers of the conversation begin again when it wakes.
    await eventually(async () => (await events(snoozed)).some(({ body }) => body.since >= snoozedUntil));
    await setClock(shiftMs);
    // The timer of a later conversation proves that the others had the time to fire again.
    const last = await begin();
    await eventually(async () => (await events(last)).length >= 1);
    for (const conversation of [waiting, snoozed, last]) {
      const found = await events(conversation);
      expect(new Set(found.map(({ body }) => body.since)).size).toBe(found.length);
      for (const { body, createdAt } of found) {
        expect(body.timer).toBe('soon');
        const lateMs = Date.parse(createdAt) - Date.parse(body.since) - 4_000;
        expect(lateMs).toBeGreaterThanOrEqual(0);
        expect(lateMs).toBeLessThan(HOUR_MS / 2);
      }
    }
  });
});

interface TimerEvent {
  createdAt: string;
  body: { conversation: string; timer: string; since: string };
}
