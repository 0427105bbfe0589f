// A bot that repeats what contacts say. Run it beside `npm start`:
//
//   node examples/echo-bot.mjs
//
// It registers itself: a bot user with an API key, and a webhook for what contacts write. Needs nothing but Node.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const API = process.env.API ?? 'http://localhost:3000/v2';
const PORT = Number(process.env.BOT_PORT ?? 4000);
const EMAIL = process.env.ADMIN_EMAIL ?? 'admin@parlance.local';
// The first start of Parlance leaves the generated password here.
const PASSWORD = process.env.ADMIN_PASSWORD ?? readFileSync('data/admin-password', 'utf8').trim();
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;

async function call(method, path, { token, body } = {}) {
  const response = await fetch(`${API}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer;
}

async function register() {
  const { token } = await call('POST', '/auth/token', { body: { email: EMAIL, password: PASSWORD } });
  const bot = await findOrCreate(
    token,
    '/users',
    { email: 'echo-bot@example.com', role: 'bot', givenName: 'Echo' },
    'email',
  );
  const key = await call('POST', `/users/${bot.id}/apikeys`, {
    token,
    body: { name: 'echo-bot', scopes: ['bot'] },
  });
  const params = {
    url: `http://127.0.0.1:${PORT}/`,
    secret: SECRET,
    events: ['message.create.contact.chat.contact'],
  };
  const service = await findOrCreate(
    token,
    '/services',
    { name: 'echo-bot', type: 'webhook', params },
    'name',
  );
  await call('PATCH', `/services/${service.id}`, { token, body: { params } });
  const { status, statusReason } = await call('POST', `/services/${service.id}/verify`, { token });
  if (status !== 'active') throw new Error(`the webhook is ${status}: ${statusReason}`);
  return key.token;
}

async function findOrCreate(token, path, body, unique) {
  const [found] = await call('GET', `${path}?${unique}=${encodeURIComponent(body[unique])}`, { token });
  return found ?? call('POST', path, { token, body });
}

// The signature of Standard Webhooks: anybody can post to this port, but only Parlance knows the secret.
function isGenuine(headers, body) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected));
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

let botToken;
const answered = new Set();

const server = createServer(async (request, response) => {
  const body = await read(request);
  // The GET is Parlance's question whether this address is ours.
  if (request.method === 'GET') return response.writeHead(200).end();
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  response.writeHead(204).end();
  const { id, data } = JSON.parse(body);
  // Delivered at least once: the same event may come again.
  if (answered.has(id)) return;
  answered.add(id);
  console.log(`${data.message.text}`);
  const answer = {
    conversation: data.message.conversation,
    text: `You said: ${data.message.text}`,
    isBackchannel: false,
  };
  await call('POST', '/messages', { token: botToken, body: { ...answer, externalId: `echo-${id}` } }).catch(
    console.error,
  );
});

server.listen(PORT, '127.0.0.1', async () => {
  botToken = await register();
  console.log(`echo bot listens on http://127.0.0.1:${PORT}`);
});
