import { expect } from 'vitest';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newPerson } from './people.ts';
import type { Person } from './people.ts';

const ROLES = ['viewer', 'agent', 'bot', 'admin'] as const;
type Role = (typeof ROLES)[number];

/**
 * An organization with records of every kind. Its mark is part of all texts, addresses and secrets.
 */
export interface Tenant {
  mark: string;
  organization: string;
  /** Record ids by kind, the first part of the path of their routes. */
  records: Record<string, string[]>;
  /** Values for path variables other than `id`. */
  params: Record<string, string>;
  people: Record<Role, Person>;
  /** The chat key. */
  slug: string;
  receiver: Receiver;
}

export function idsOf({ records, params }: Tenant): string[] {
  return [...new Set([...Object.values(records).flat(), params['key'] ?? '', params['note'] ?? ''])];
}

/** Returns a client per role: a session for the admin, API keys for the others. */
export function callersOf({ base }: Product, { people }: Tenant): Record<Role, ApiClient> {
  const withKey = (role: Role) => client(base, people[role].key.token);
  return {
    viewer: withKey('viewer'),
    agent: withKey('agent'),
    bot: withKey('bot'),
    admin: people.admin.session,
  };
}

type Make = (path: string, body: object) => Promise<any>;

export async function newStockedTenant(product: Product, mark: string): Promise<Tenant> {
  const make: Make = async (path, body) => {
    const { status, body: made } = await product.admin.post(path, body);
    expect(status, `${path} ${JSON.stringify(made)}`).toBe(201);
    return made;
  };
  const organization = (await make('/organizations', { name: mark, email: `${mark}@example.com` })).id;
  const child = (await make('/organizations', { name: `${mark} below`, parent: organization })).id;
  const people = {} as Record<Role, Person>;
  for (const role of ROLES) people[role] = await newPerson(product, { role, organization, of: mark });
  const users = ROLES.map((role) => people[role].id);
  const own = await plainRecords(make, { mark, organization, child, users });
  const receiver = await startReceiver();
  const params = { url: receiver.url, secret: `the-secret-of-${mark}` };
  const hook = { type: 'webhook', organization, params };
  const service = await make('/services', { name: mark, ...hook });
  const ofBot = await make('/services', { name: `${mark} bot`, ...hook, user: people.bot.id });
  const talk = await conversations(make, { mark, organization, people });
  const name = `${mark}.order`;
  const eventtype = await newEventType(
    product,
    name,
    `{ "conversation": "${talk.plain}", "messages": [{ "text": text }] }`,
    organization,
  );
  const bot = client(product.base, people.bot.key.token);
  const event = await bot.post(`/events/${name}`, { text: `${mark} ordered` });
  expect(event.status, JSON.stringify(event.body)).toBe(200);
  const deliveries = await settled(product, { organization });
  const note = await product.admin.post(`/contacts/${talk.contact}/notes`, { text: `${mark} notes` });
  return {
    ...{ mark, organization, people, receiver, slug: talk.slug },
    params: { key: people.bot.key.id, name, note: note.body.id as string },
    records: {
      ...own,
      organizations: [organization, child],
      users,
      services: [service.id, ofBot.id],
      conversations: [talk.plain, talk.withContact],
      contacts: [talk.contact],
      messages: talk.messages,
      eventtypes: [eventtype],
      events: [event.body.id],
      deliveries,
    },
  };
}

async function plainRecords(
  make: Make,
  {
    mark,
    organization,
    child,
    users,
  }: { mark: string; organization: string; child: string; users: string[] },
) {
  const members = users.slice(1, 3).map((user) => ({ user, online: true }));
  const named = { name: mark, organization };
  return {
    orggroups: [(await make('/orggroups', { ...named, organizations: [child] })).id],
    channels: [(await make('/channels', { ...named, members })).id],
    forms: [(await make('/forms', { ...named, fields: [{ name: mark, key: 'a' }] })).id],
    kbitems: [(await make('/kbitems', { title: mark, content: mark, organization })).id],
  };
}

/**
 * Creates one conversation with a contact and one without. Both have backchannel messages and
 * participants.
 */
async function conversations(
  make: Make,
  { mark, organization, people }: { mark: string; organization: string; people: Record<Role, Person> },
) {
  const { id: plain } = await make('/conversations', { name: mark, organization, meta: { mark } });
  const upserted = await make('/conversations', {
    organization,
    contact: { profile: { email: `contact@${mark}.example`, name: mark } },
    messages: [{ text: `${mark} asks`, role: 'contact' }],
  });
  const withContact = upserted.id;
  const messages: string[] = [...upserted.messages];
  for (const conversation of [plain, withContact]) {
    const assign = { type: 'command', text: '/assign', meta: { users: [people.viewer.id, people.bot.id] } };
    const said = { text: `${mark} says`, externalId: `${mark}-1`, isBackchannel: false };
    for (const one of [
      assign,
      said,
      { text: `${mark} hides`, isBackchannel: true },
      { text: mark, delay: 3_600_000 },
    ])
      messages.push((await make('/messages', { conversation, ...one })).id);
  }
  return { plain, withContact, messages, contact: upserted.contact as string, slug: upserted.slug as string };
}

/** Waits until all deliveries of the organization are delivered, and returns their ids. */
export async function settled(
  { admin }: Product,
  { organization }: Pick<Tenant, 'organization'>,
): Promise<string[]> {
  return eventually(
    async () => {
      const { body } = await admin.get(`/deliveries?organization=${organization}&limit=1000`);
      const open = body.some(({ status }: { status: string }) => status !== 'delivered');
      return body.length > 0 && !open && (body as { id: string }[]).map(({ id }) => id);
    },
    { withinMs: 60_000 },
  );
}
