import { eventually } from './eventually.ts';
import type { Product } from './product.ts';
import type { Receiver } from './receiver.ts';
import { recordKinds } from './record-kinds.ts';

/**
 * Creates the records that the examples of the API refer to, and one record of each kind that an
 * example deletes.
 */
export async function seededExamples(
  product: Product,
  receiver: Receiver,
  login: { email: string; password: string },
) {
  const { admin, organization } = product;
  const made = async (path: string, body: object) => {
    const { status, body: record } = await admin.post(path, body);
    if (status > 201) throw new Error(`${path}: ${JSON.stringify(record)}`);
    return record.id as string;
  };
  const me = (await admin.get('/users/me')).body.id as string;
  await made('/users', { role: 'agent', ...login });
  const users = await made('/users', { role: 'agent', givenName: 'Seed' });
  const bots = await made('/users', { role: 'bot' });
  const forms = await made('/forms', { name: 'Booking' });
  await admin.request('PATCH', `/organizations/${organization}`, {
    categories: [{ name: 'sales', forms: [forms] }],
    country: 'NL',
  });
  const conversations = await made('/conversations', { name: 'Seed' });
  const services = await made('/services', {
    name: 'Seed',
    type: 'webhook',
    params: { url: receiver.url, events: ['message'] },
  });
  const messages = await made('/messages', { conversation: conversations, text: 'Seed' });
  const deliveries = await eventually(async () => {
    const { body } = await admin.get(`/deliveries?service=${services}&status=delivered`);
    return body[0]?.id as string | undefined;
  });
  const contacts = await made('/contacts', {});
  const jsonata = '{ "conversation": conversation, "messages": [{ "text": text }] }';
  const ids = {
    organizations: organization,
    users,
    bots,
    forms,
    conversations,
    messages,
    services,
    pulled: await made('/services', { name: 'Feed', type: 'webhook', params: { events: ['form'] } }),
    deliveries,
    contacts,
    notes: await made(`/contacts/${contacts}/notes`, { text: 'Seed' }),
    channels: await made('/channels', { name: 'Seed', members: [{ user: me }] }),
    // The expression fails at first, so that a failed event exists that can be run again.
    eventtypes: await made('/eventtypes', { name: 'order.created', jsonata: '$error("not yet")' }),
    kbitems: await made('/kbitems', { title: 'Seed' }),
    orggroups: await made('/orggroups', { name: 'Seed' }),
    events: await made('/events/order.created', { conversation: conversations, text: 'Seed' }).catch(
      async () => (await admin.get('/events')).body[0].id as string,
    ),
    apikeys: await made(`/users/${users}/apikeys`, { name: 'Seed', scopes: ['agent'] }),
  };
  const doomed: Record<string, string> = {};
  for (const { path, body } of await recordKinds(product)) doomed[path.slice(1)] = await made(path, body);
  await admin.request('PATCH', `/eventtypes/${ids.eventtypes}`, { jsonata });
  return { ids, doomed };
}
