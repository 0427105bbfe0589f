// What the bots of this folder have in common: a bot user with an API key, and a webhook that hears
// events.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { call, findOrCreate, signIn } from './api.mjs';

/**
 * Makes the bot and its webhook, and calls `hear({ message, conversation, bot, prepared, say })`
 * for each event, one after the other. `say` posts messages into the conversation as the bot, once
 * even if the event comes again. `prepare` may set things up as the admin first.
 */
export async function startBot({ name, events, prepare, hear }) {
  const port = Number(process.env.BOT_PORT ?? 4000);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const { token, organization } = await signIn();
  const bot = await makeBot(token, name);
  const prepared = await prepare?.({ token, organization });
  const server = createServer(
    webhook(secret, ({ id, data }) => hear({ ...data, bot, prepared, say: speaker(bot, id, data) })),
  );
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await registerWebhook(token, name, { url: `http://127.0.0.1:${port}/`, secret, events });
  console.log(`${name} listens on http://127.0.0.1:${port}`);
}

async function makeBot(token, name) {
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  const { id } = await findOrCreate(token, '/users', { email, role: 'bot' }, 'email');
  const { token: key } = await call('POST', `/users/${id}/apikeys`, {
    token,
    body: { name, scopes: ['bot'] },
  });
  return { id, key };
}

async function registerWebhook(token, name, params) {
  const service = await findOrCreate(token, '/services', { name, type: 'webhook', params }, 'name');
  await call('PATCH', `/services/${service.id}`, { token, body: { params } });
  const { status, statusReason } = await call('POST', `/services/${service.id}/verify`, { token });
  if (status !== 'active') throw new Error(`the webhook is ${status}: ${statusReason}`);
}

function webhook(secret, hear) {
  let turn = Promise.resolve();
  return async (request, response) => {
    const body = await read(request);
    // The GET is Parlance's question whether this address is ours. Anybody can post here, but only
    // Parlance knows the secret.
    if (request.method === 'GET') return response.writeHead(200).end();
    if (!isGenuine(request.headers, body, secret)) return response.writeHead(401).end();
    turn = turn
      .then(() => hear(JSON.parse(body)))
      .then(
        () => response.writeHead(204).end(),
        // The event will come again.
        (error) => response.writeHead(500).end(console.error(error.message)),
      );
  };
}

/**
 * Names made from the event's: the same again when the event comes again. Chats and cards are for
 * the contact, the rest is not.
 */
function speaker({ key }, event, { message: { conversation } }) {
  let count = 0;
  return (...messages) =>
    call('POST', `/conversations/${conversation}/messages`, {
      token: key,
      body: messages.map(({ type = 'chat', ...message }) => ({
        type,
        isBackchannel: !['chat', 'card'].includes(type),
        ...message,
        externalId: `${event}-${++count}`,
      })),
    });
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * The signature of Standard Webhooks. For a day after the secret has changed the old one signs too,
 * so there may be several.
 */
function isGenuine(headers, body, secret) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const given = String(headers['webhook-signature']).split(' ');
  return given.some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected));
}
