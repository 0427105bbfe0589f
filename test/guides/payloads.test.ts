import { readFile } from 'node:fs/promises';
import { format } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePattern } from '../../domain/events/event-pattern.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { page, payloadPage } from './payloads.ts';

const RECORDS: [path: string, body: object, change: object][] = [
  [
    '/contacts',
    { profile: { email: 'ada@payloads.example.com', name: 'Ada' } },
    { profile: { name: 'Ada King' } },
  ],
  [
    '/users',
    { role: 'agent', givenName: 'Grace', email: 'grace@payloads.example.com' },
    { status: 'online' },
  ],
  ['/organizations', { name: 'Harbour Motors' }, { country: 'NL' }],
  ['/orggroups', { name: 'North' }, { name: 'North and west' }],
  ['/forms', { name: 'Test drive', type: 'topic', fields: [{ name: 'Car', key: 'car' }] }, { name: 'Drive' }],
  ['/channels', { name: 'Sales' }, { name: 'Sales and service' }],
  ['/eventtypes', { name: 'order.shipped' }, { description: 'An order left the house' }],
  ['/kbitems', { title: 'Opening hours', content: '9 to 18' }, { language: 'en' }],
  ['/conversations', { type: 'contact', name: 'Ada' }, { status: 'closed' }],
];

const MESSAGE_EVENTS = ['chat', 'command'].map((type) => `message.create.contact.${type}`);
const CHANGES = ['message.update.contact.chat', 'message.delete.contact.chat'];
const RESOURCES = ['service', ...RECORDS.map(([path]) => path.slice(1, -1))];
const EVENTS = [
  ...MESSAGE_EVENTS,
  ...CHANGES,
  ...RESOURCES.flatMap((one) => ['create', 'update', 'delete'].map((change) => `${one}.${change}`)),
  'user.login',
  'service.error',
  'eventtype.error',
];

let product: Product;
let receiver: Receiver;
let broken: Receiver;

beforeAll(async () => {
  product = await sharedApi('payloads');
  [receiver, broken] = await Promise.all([
    startReceiver({ takesAll: true }),
    startReceiver({ takesAll: true }),
  ]);
});

afterAll(async () => {
  await Promise.all([receiver.close(), broken.close()]);
  await product.close();
});

async function happen(): Promise<void> {
  const { admin, login } = product;
  const other = { name: 'another', type: 'webhook', params: { url: broken.url, events: ['kbitem'] } };
  const service = (await admin.post('/services', other)).body.id as string;
  const conversation = (await admin.post('/conversations', { type: 'contact' })).body.id as string;
  const said = { conversation, role: 'contact', text: 'Hello' };
  const message = (await admin.post('/messages', said)).body.id as string;
  await admin.post('/messages', { conversation, type: 'command', text: '/set mood good' });
  await admin.request('PATCH', `/messages/${message}`, { text: 'Hello!' });
  await admin.request('DELETE', `/messages/${message}`);
  // A service that responds 410 is disabled.
  broken.behave(respondWith(410));
  for (const [path, body, change] of RECORDS) {
    const id = (await admin.post(path, body)).body.id as string;
    expect((await admin.request('PATCH', `${path}/${id}`, change)).status, path).toBe(200);
    expect((await admin.request('DELETE', `${path}/${id}`)).status, path).toBe(204);
  }
  const shipped = { name: 'order.failing', jsonata: '{ "conversation": conversation, "messages": [{}] }' };
  await admin.post('/eventtypes', shipped);
  await admin.post('/events/order.failing', { conversation, order: 'A-17' });
  await admin.post('/auth/token', login);
  await eventually(async () => (await admin.get(`/services/${service}`)).body.status === 'disabled');
  await admin.request('PATCH', `/services/${service}`, { name: 'renamed' });
  await admin.request('DELETE', `/services/${service}`);
}

test('docs/webhook-payloads.md shows the payload of every event as received', async () => {
  const params = { url: receiver.url, secret: 'a secret of a receiver' };
  await product.admin.post('/services', { name: 'my receiver', type: 'webhook', params });
  await happen();
  for (const event of EVENTS) expect(() => parsePattern(event)).not.toThrow();
  const bodies = () => receiver.received.filter(({ method }) => method === 'POST').map(({ body }) => body);
  const missing = () =>
    EVENTS.filter((event) => !bodies().some((body) => body.includes(`"event":"${event}"`)));
  await eventually(() => missing().length === 0).catch(() => expect(missing()).toEqual([]));
  const shown = bodies().filter((body) => EVENTS.includes((JSON.parse(body) as { event: string }).event));
  const options = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code: text } = await format('docs/webhook-payloads.md', payloadPage(shown, product), options);
  if (process.env['PARLANCE_UPDATE_GUIDES']) page.write(text);
  expect(text, 'run this test with PARLANCE_UPDATE_GUIDES=1').toBe(page.read());
});
