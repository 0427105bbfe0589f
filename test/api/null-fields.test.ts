import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { resourceNames, resourceRow } from '../../domain/resources.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { recordKinds } from '../support/record-kinds.ts';
import type { RecordKind } from '../support/record-kinds.ts';
import { createRecordHelpers } from '../support/records.ts';

interface Schema {
  properties?: Record<string, object>;
  required?: string[];
  anyOf?: Schema[];
}

const PATHS = resourceNames()
  .filter((name) => resourceRow(name).scopes.update)
  .map((name) => `/${name}`);

/** PATCH rejects null for these required fields. */
const KEPT = [
  ...['organization', 'parent', 'status of /services', 'contact of /conversations'],
  ...['delay of /messages', 'sendAt of /messages'],
];
/** Values after a PATCH with null that differ from the default of a new record. */
const CLEARED: Record<string, unknown> = { 'participants of /conversations': [] };
/** Fields that differ between records. */
const OWN = [
  'id',
  'slug',
  'url',
  'createdAt',
  'updatedAt',
  'lastMessageAt',
  'waitingSince',
  'processedAt',
  'sequence',
  'messages',
  'path',
];
/** Fields that responses hide or derive, so their values are not compared. */
const HIDDEN = ['password', 'currentPassword', 'email of /users'];

function bodyOf(method: string, path: string): Required<Pick<Schema, 'properties' | 'required'>> {
  const row = ROUTES.find((one) => one.method === method && one.path === path);
  const schema = row?.body as Schema;
  const { properties = {}, required = [] } = schema.anyOf?.[0] ?? schema;
  return { properties, required };
}

function isAmong(list: readonly string[], field: string, path: string): boolean {
  return list.includes(field) || list.includes(`${field} of ${path}`);
}

/** Spec 2.2. */
describe('null', () => {
  let product: Product;
  let kinds: Map<string, RecordKind>;
  /** Values other than the default for every optional field. */
  let values: Record<string, Record<string, unknown>>;

  beforeAll(async () => {
    product = await sharedApi('null-fields');
    kinds = new Map((await recordKinds(product)).map((kind) => [kind.path, kind]));
    const { organization } = product;
    const form = await make('/forms', { name: 'A' });
    await patch(`/organizations/${organization}`, { categories: [{ name: 'Sales', forms: [form.id] }] });
    const { id: channel } = await make('/channels', { name: 'A' });
    const [user, bot] = [await make('/users', { role: 'agent' }), await make('/users', { role: 'bot' })];
    const text = 'x';
    const free = { meta: { a: 1 }, organization };
    values = {
      '/organizations': {
        ...{
          displayName: text,
          email: 'info@example.com',
          url: text,
          country: 'NL',
          logo: text,
          industry: text,
        },
        ...{ status: text, tags: [text], categories: [{ name: text }], settings: { a: 1 }, meta: { a: 1 } },
        timers: [{ name: text, when: 'quiet', after: 60_000, event: 'quiet.long', user: bot.id }],
        ...{ ratingForm: form.id, parent: organization },
      },
      '/orggroups': { organizations: [organization], ...free },
      '/users': {
        ...{ givenName: text, familyName: text, email: 'null@example.com', password: 'correct horse' },
        ...{ status: 'away', avatar: text, settings: { a: 1 }, ...free },
      },
      '/contacts': { externalId: text, profile: { name: text }, blocked: true, settings: { a: 1 }, ...free },
      '/kbitems': { content: text, language: text, tags: [text], ...free },
      '/forms': { type: 'static', fields: [{ name: text, key: text }], ...free },
      '/channels': { members: [{ user: user.id }], ...free },
      '/services': { user: bot.id, organization },
      '/eventtypes': { description: text, jsonata: '{}', organization },
      '/conversations': {
        ...{
          name: text,
          type: 'agent',
          status: 'closed',
          category: 'Sales',
          categoryIndex: 0,
          language: text,
        },
        ...{ participants: [{ user: user.id }], touchpoints: { web: { services: [] } } },
        ...{
          forms: [{ form: form.id, name: 'A' }],
          channels: [channel],
          channelsOffline: [channel],
          ...free,
        },
      },
      '/messages': {
        ...{ items: [{ title: text }], actions: [{ type: 'reply', text, payload: text }], meta: { a: 1 } },
      },
    };
  });
  afterAll(() => product.close());

  const { make, patch } = createRecordHelpers(() => product);
  const leastOf = (path: string): Record<string, unknown> => {
    const { required } = bodyOf('POST', path);
    const body = { ...kinds.get(path)!.body } as Record<string, unknown>;
    return Object.fromEntries(required.map((field) => [field, body[field]]));
  };
  const comparable = (path: string, record: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(record).filter(
        ([field]) => !OWN.includes(field) && !(path === '/users' && ['email', 'name'].includes(field)),
      ),
    );

  test('the tests of null cover every resource with PATCH', () => {
    const made = ROUTES.filter(({ method, path }) => method === 'PATCH' && /^\/\w+\/:id$/.test(path));
    expect(made.map(({ path }) => path.replace('/:id', '')).sort()).toEqual([...PATHS].sort());
  });

  test.each(PATHS)('null equals an absent optional field of a new record: %s', async (path) => {
    const { properties, required } = bodyOf('POST', path);
    const bare = await make(path, leastOf(path));
    const optional = Object.keys(properties).filter((field) => !required.includes(field));
    for (const field of optional) {
      const { status, body } = await product.admin.post(path, { ...leastOf(path), [field]: null });
      expect([field, status, body.message]).toEqual([field, 201, undefined]);
      const given = path === '/eventtypes' ? { ...body, name: bare.name } : body;
      expect([field, comparable(path, given)]).toEqual([field, comparable(path, bare)]);
    }
  });

  test.each(PATHS)('null is rejected with 400 for a required field of a new record: %s', async (path) => {
    for (const field of bodyOf('POST', path).required) {
      const { status, body } = await product.admin.post(path, { ...leastOf(path), [field]: null });
      expect([field, status, body.details?.[0].path]).toEqual([field, 400, field]);
    }
  });

  test.each(PATHS)(
    'null in a PATCH clears an optional field and is rejected with 400 for other fields: %s',
    async (path) => {
      const { required } = bodyOf('POST', path);
      const bare = await make(path, leastOf(path));
      const made = await make(path, leastOf(path));
      const one = `${path}/${made.id}`;
      for (const field of Object.keys(bodyOf('PATCH', `${path}/:id`).properties)) {
        const stays = required.includes(field) || isAmong(KEPT, field, path);
        const isHidden = isAmong(HIDDEN, field, path);
        const value = values[path]?.[field];
        if (!stays && field !== 'currentPassword') {
          const set = await patch(one, { [field]: value });
          expect([field, set.status, set.body.message]).toEqual([field, 200, undefined]);
          if (!isHidden) expect([field, set.body[field]]).not.toEqual([field, bare[field]]);
        }
        const before = (await product.admin.get(one)).body;
        const { status, body } = await patch(one, { [field]: null });
        expect([field, status]).toEqual([field, stays ? 400 : 200]);
        const after = (await product.admin.get(one)).body;
        if (stays) expect([body.details[0].path, after]).toEqual([field, before]);
        else if (!isHidden) {
          const cleared = CLEARED[`${field} of ${path}`] ?? bare[field];
          expect([field, after[field]]).toEqual([field, cleared]);
        }
      }
    },
  );

  test('null resets the email of a user to the generated address', async () => {
    const { id } = await make('/users', { role: 'agent', email: 'cleared@example.com' });
    const { status, body } = await patch(`/users/${id}`, { email: null });
    expect([status, body.email, body.name]).toEqual([200, ...Array(2).fill(`agent+${id}@parlance.local`)]);
    expect((await make('/users', { role: 'agent', email: 'cleared@example.com' })).email).toBeTruthy();
  });

  test('null removes a password, so that logins fail', async () => {
    const credentials = { email: 'left@example.com', password: 'correct horse' };
    const { id } = await make('/users', { role: 'agent', ...credentials });
    expect((await product.admin.post('/auth/token', credentials)).status).toBe(200);
    expect((await patch(`/users/${id}`, { password: null })).status).toBe(200);
    expect((await product.admin.post('/auth/token', credentials)).status).toBe(401);
  });

  test('null equals an absent field within a profile, params, an item or a member', async () => {
    const contact = await make('/contacts', { profile: { name: 'A', email: null, address: null } });
    expect(contact.profile).toEqual({ name: 'A' });
    const changed = await patch(`/contacts/${contact.id}`, { profile: { name: null, locale: 'nl' } });
    expect([changed.status, changed.body.profile]).toEqual([200, { locale: 'nl' }]);
    const params = { url: 'http://127.0.0.1:9/', secret: null, events: null };
    const service = await make('/services', { name: 'A', type: 'webhook', params });
    expect(service.params).toEqual({ url: params.url });
    const repaired = await patch(`/services/${service.id}`, { params });
    expect([repaired.status, repaired.body.params]).toEqual([200, { url: params.url }]);
    const { id: conversation } = await make('/conversations', {});
    const items = [{ title: 'x', description: null, actions: null }];
    const message = await make('/messages', { conversation, text: 'x', type: 'chat', items });
    const shown = [{ title: 'x', size: 'compact' }];
    expect(message.items).toEqual(shown);
    expect((await patch(`/messages/${message.id}`, { items })).body.items).toEqual(shown);
    const nowhere = await patch(`/contacts/${contact.id}`, { profile: { address: { street: null } } });
    expect([nowhere.status, nowhere.body.profile]).toEqual([200, { address: {} }]);
  });
});
