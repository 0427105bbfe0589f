import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { startApi } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
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
  let product: OwnProduct;
  let receiver: Receiver;

  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await startReceiver();
    const file = join(folder.path, 'clock');
    product = await startApi(`clocks-${way}`, { NODE_OPTIONS: `--import ${HOOK}`, CLOCK_SHIFT_FILE: file });
    await writeFile(file, String(shiftMs));
    const { body } = await product.admin.post('/channels', { name: 'told by the machine' });
    await eventually(async () => {
      const { body: now } = await product.admin.request('PATCH', `/channels/${body.id}`, { name: 'again' });
      return Math.abs(Date.parse(now.updatedAt) - Date.now()) > HOUR_MS / 2;
    });
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
    expect((await me.request('PUT', '/users/me/otp', { otp: phone.generate() })).status).toBe(204);
    const next = phone.generate({ timestamp: Date.now() + 30_000 });
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
});
