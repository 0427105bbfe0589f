// Shared code of the example bots.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createBot } from '@parlance/client';
import { nodeListener } from '@parlance/client/node';
import { findOrCreate, signIn } from './api.mjs';

/**
 * Creates the bot and its webhook, and passes each event that matches `events` to `hear`. `prepare`
 * runs first, with a client of the admin. BOT_HOST is an address of this machine that Parlance can
 * reach, BOT_PORT the port.
 */
export async function startBot({ name, events, prepare, hear }) {
  const host = process.env.BOT_HOST ?? '127.0.0.1';
  const port = Number(process.env.BOT_PORT ?? 4000);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const admin = await signIn();
  const { user, token } = await makeUser(admin, name);
  const prepared = await prepare?.(admin);
  const onError = (error) => console.error(error.message);
  const bot = createBot({ token, secret, onError });
  for (const event of events) bot.on(event, (heard) => hear({ ...heard, user, prepared }));
  const server = createServer(nodeListener(bot.handle));
  await new Promise((resolve) => server.listen(port, host, resolve));
  await registerWebhook(admin, name, { url: `http://${host}:${port}/`, secret, events });
  console.log(`${name} listens on http://${host}:${port}`);
}

async function makeUser(admin, name) {
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  const { id } = await findOrCreate(admin, '/users', { email, role: 'bot' }, 'email');
  const { token } = await admin.parlance.call('POST /users/{id}/apikeys', {
    path: { id },
    body: { name, scopes: ['bot'] },
  });
  return { user: id, token };
}

async function registerWebhook(admin, name, params) {
  const { parlance } = admin;
  const body = { name, type: 'webhook', params };
  const { id } = await findOrCreate(admin, '/services', body, 'name');
  await parlance.call('PATCH /services/{id}', { path: { id }, body: { params } });
  const service = await parlance.call('POST /services/{id}/verify', { path: { id } });
  if (service.status !== 'active')
    throw new Error(`the webhook is ${service.status}: ${service.statusReason}`);
}
