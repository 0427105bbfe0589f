import { eventually } from '../support/eventually.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Product } from '../support/product.ts';
import type { ApiClient } from '../support/client.ts';
import { newUser } from '../support/shared-servers.ts';
import { newPerson } from '../web/console.ts';
import type { Person } from '../web/console.ts';

/** Records of a bicycle shop. */
export interface World {
  admin: Person;
  /** Ids of records with a page of their own. */
  conversation: string;
  contact: string;
  service: string;
  eventType: string;
  team: string;
  close: () => Promise<unknown>;
}

interface Talk {
  name: string;
  email: string;
  category: string;
  said: [role: 'contact' | 'agent' | 'bot', text: string][];
  labels?: string[];
  end?: '/leave';
}

const TALKS: Talk[] = [
  {
    name: 'Sofia Marino',
    email: 'sofia.marino@example.com',
    category: 'Repairs',
    said: [
      ['contact', 'Hi! My rear brake squeaks since yesterday. Can you look at it this week?'],
      ['agent', 'Of course. Does it squeak when you brake, or all the time?'],
      ['contact', 'Only when I brake. It is the blue city bike, serial number HB-20418.'],
      ['agent', 'Thank you. Then the pads are probably worn. Wednesday at 10 is free.'],
      ['contact', 'Wednesday is perfect.'],
    ],
    labels: ['brakes', 'warranty'],
  },
  {
    name: 'Thijs de Vries',
    email: 'thijs@example.com',
    category: 'Orders',
    said: [
      ['contact', 'Where is my order 48213? It should have arrived on Monday.'],
      ['bot', 'Your order left our warehouse on Friday. The carrier expects it tomorrow.'],
    ],
  },
  {
    name: 'Amélie Laurent',
    email: 'amelie@example.com',
    category: 'Sales',
    said: [['contact', 'Do you have the Gravel 3 in size M, and may I try it before I buy it?']],
    labels: ['test ride'],
  },
  {
    name: 'Jonas Weber',
    email: 'jonas.weber@example.com',
    category: 'Orders',
    said: [
      ['contact', 'I would like to return the helmet, it is too small.'],
      ['agent', 'No problem, the label for the parcel is in your mailbox.'],
    ],
    end: '/leave',
  },
  {
    name: 'Priya Nair',
    email: 'priya@example.com',
    category: 'Repairs',
    said: [['contact', 'The chain jumps on the smallest gear.']],
  },
];

/** Creates the records in the same order in each run, so that lists have the same order. */
export async function createWorld(product: Product): Promise<World> {
  const { admin: api, organization } = product;
  const post = poster(api);
  await api.request('PATCH', `/organizations/${organization}`, {
    categories: ['Repairs', 'Orders', 'Sales'],
    country: 'NL',
    timers: [],
  });
  const me = (await api.get('/users/me')).body as { id: string };
  await api.request('PATCH', `/users/${me.id}`, { givenName: 'Noor', familyName: 'Haddad' });
  const admin = await newPerson(product, { role: 'admin', givenName: 'Ada', familyName: 'Okafor' });
  const grace = await newUser(product, { role: 'agent', givenName: 'Grace', familyName: 'Lindholm' });
  await newPerson(product, { role: 'agent', givenName: 'Bruno', familyName: 'Costa' });
  const bot = await newUser(product, { role: 'bot', givenName: 'Chain', familyName: 'bot' });
  const members = [{ user: admin.id }, { user: grace.user }];
  const team = (await post('/channels', { name: 'Workshop', members })).id;
  await post('/channels', { name: 'Shop', members: members.slice(1) });
  await post('/kbitems', { title: 'Opening hours', content: 'Tuesday to Saturday, 9 to 18.' });
  await post('/kbitems', { title: 'Returns', content: 'Within 30 days, unused, with the receipt.' });
  await post('/forms', { name: 'Test ride', type: 'topic', fields: [{ name: 'Size', key: 'size' }] });
  const talks = [];
  const authors = { contact: post, agent: poster(grace), bot: poster(bot) };
  for (const talk of TALKS) talks.push(await createTalk(authors, talk));
  const [service, receivers] = await createWebhooks(post);
  const eventType = await createEvents({ post, bot: authors.bot, conversation: talks[0]?.id ?? '' });
  await eventually(async () => {
    const { body } = await api.get(`/deliveries?service=${service}&limit=100`);
    return (body as { status: string }[]).every(({ status }) => status !== 'pending');
  });
  return {
    ...{ admin, service, eventType, team },
    conversation: talks[0]?.id ?? '',
    contact: talks[0]?.contact ?? '',
    close: () => Promise.all(receivers.map((one) => one.close())),
  };
}

type Post = (path: string, body: object) => Promise<{ id: string; contact?: string }>;

function poster(api: ApiClient): Post {
  return async (path, body) => {
    const { status, body: created } = await api.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(created)}`);
    return created as { id: string; contact?: string };
  };
}

async function createTalk(
  authors: Record<Talk['said'][number][0], Post>,
  { name, email, category, said, labels = [], end }: Talk,
): Promise<{ id: string; contact?: string }> {
  const contact = { profile: { name, email } };
  const created = await authors.contact('/conversations', { type: 'contact', category, contact });
  const path = `/conversations/${created.id}/messages`;
  for (const [role, text] of said) await authors[role](path, { role, text, isBackchannel: false });
  for (const label of labels) await authors.agent(path, command(`/label ${label}`));
  if (end) await authors.agent(path, command(end));
  return created;
}

function command(text: string): object {
  return { type: 'command', text };
}

async function createWebhooks(post: Post) {
  const [receiver, broken] = await Promise.all([
    startReceiver({ takesAll: true }),
    startReceiver({ takesAll: true }),
  ]);
  const webhook = (name: string, url: string) =>
    post('/services', { name, type: 'webhook', params: { url, events: ['kbitem'] } });
  const { id } = await webhook('Stock system', receiver.url);
  await webhook('Newsletter', broken.url);
  broken.behave(respondWith(410));
  await post('/kbitems', { title: 'Delivery', content: 'Two working days.' });
  return [id, [receiver, broken]] as const;
}

async function createEvents({ post, bot, conversation }: { post: Post; bot: Post; conversation: string }) {
  const { id } = await post('/eventtypes', {
    name: 'order.shipped',
    description: 'An order left the warehouse',
    jsonata:
      '{ "conversation": conversation, "messages": [{ "isBackchannel": false, "text": "Order " & order & " is on its way." }] }',
  });
  await post('/eventtypes', { name: 'repair.finished', jsonata: '{}' });
  await bot('/events/order.shipped', { conversation, order: '48213' });
  return id;
}
