import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 9.5 (select, populate), spec 9.6. */
describe('select and populate', () => {
  let product: Product;
  let agent: KeyHolder;
  let conversation: { id: string; contact: string; slug: string };
  let message: string;

  beforeAll(async () => {
    product = await sharedApi('listing-shape');
    const { admin, organization } = product;
    agent = await newUser(product, { role: 'agent', givenName: 'Grace', familyName: 'Hopper' });
    const profile = { email: 'ada@example.com', name: 'Ada' };
    const upsert = { organization, type: 'contact', name: 'First', contact: { profile } };
    const messages = [{ type: 'chat', role: 'contact', text: 'Hello' }];
    conversation = (await admin.post('/conversations', { ...upsert, messages, meta: { a: 1, b: 2 } })).body;
    const posted = await agent.post('/messages', {
      conversation: conversation.id,
      text: 'Hi',
      role: 'agent',
    });
    message = posted.body.id;
  });
  afterAll(() => product.close());

  const one = async (query: string, caller: Pick<KeyHolder, 'get'> = product.admin) =>
    (await caller.get(`/conversations/${conversation.id}?${query}`)).body;
  const keys = (body: object) => Object.keys(body).sort().join(' ');

  test('select returns the selected fields and always the id', async () => {
    expect(keys(await one('select=name,status'))).toBe('id name status');
    const [listed] = (await product.admin.get('/conversations?select=name')).body;
    expect(listed).toEqual({ id: conversation.id, name: 'First' });
  });

  test('select returns parts of fields, also of list members', async () => {
    const body = await one('select=meta.a,participants.user');
    expect(body.meta).toEqual({ a: 1 });
    expect(body.participants.map(keys)).toEqual(['user', 'user']);
  });

  test('select omits excluded fields, but never the id', async () => {
    const body = await one('select=-meta.a,-participants,-messages,-id');
    expect(body.id).toBe(conversation.id);
    expect(body.meta).toEqual({ b: 2 });
    expect([body.participants, body.messages]).toEqual([undefined, undefined]);
    expect(body.slug).toBe(conversation.slug);
  });

  test('select always returns the derived name of a user', async () => {
    const { body } = await product.admin.get(`/users/${agent.user}?select=role`);
    expect(body).toEqual({ id: agent.user, role: 'agent', name: 'Grace Hopper' });
  });

  test('populate replaces ids by records, also in lists', async () => {
    const body = await one('populate=contact,participants.user,organization,messages:text');
    expect(body.contact.profile.name).toBe('Ada');
    expect(body.organization.name).toBe('listing-shape');
    expect(body.participants.map(({ user }: any) => user.role)).toEqual(['admin', 'agent']);
    expect(body.messages.map(({ text }: any) => text)).toEqual(['Hello', 'Hi']);
    expect(body.messages.map(keys)).toEqual(['id text', 'id text']);
  });

  test('populate can select fields of the populated records, and can populate references of these records', async () => {
    const { body } = await product.admin.get(
      `/messages?conversation=${conversation.id}&select=text,conversation,user&populate=user:role,conversation:name|contact,conversation.contact:profile.name`,
    );
    expect(body[1]).toEqual({
      id: message,
      text: 'Hi',
      user: { id: agent.user, role: 'agent', name: 'Grace Hopper' },
      conversation: {
        id: conversation.id,
        name: 'First',
        contact: { id: conversation.contact, profile: { name: 'Ada' } },
      },
    });
  });

  test('populate replaces the form ids in the categories of an organization by forms', async () => {
    const { admin } = product;
    const form = (await admin.post('/forms', { name: 'Address', type: 'topic' })).body.id;
    const categories = [{ name: 'Sales', forms: [form] }, { name: 'Other' }];
    const { id } = (await admin.post('/organizations', { name: 'with forms', categories })).body;
    const { body } = await admin.get(`/organizations/${id}?populate=categories.forms:name&select=categories`);
    expect(body).toEqual({
      id,
      categories: [
        { name: 'Sales', forms: [{ id: form, name: 'Address' }] },
        expect.objectContaining({ name: 'Other' }),
      ],
    });
    const listed = (await admin.get('/forms?select=name&name,id=ADDR')).body;
    expect(listed).toEqual([{ id: form, name: 'Address' }]);
  });

  test('populate shows an agent only the fields of other users that the agent may read', async () => {
    const body = await one('populate=participants.user,organization,contact', agent);
    expect(body.participants.map(({ user }: any) => keys(user))).toEqual([
      'id name status',
      'id name status',
    ]);
    expect(body.contact.profile.name).toBe('Ada');
    expect(typeof body.organization).toBe('string');
    const picked = await agent.get(`/conversations/${conversation.id}?populate=participants.user:email`);
    expect([picked.status, picked.body.code]).toEqual([400, 'invalid_request']);
  });

  test('populate keeps the id of a record that is out of reach or deleted', async () => {
    const team = (await product.admin.post('/organizations', { name: 'team' })).body.id;
    const bot = await newUser(product, { role: 'bot', organization: team });
    const posted = await product.admin.post('/conversations', { organization: team, name: 'below' });
    const { body } = await bot.get(`/conversations/${posted.body.id}?populate=createdBy,organization`);
    expect(typeof body.createdBy).toBe('string');
    expect(body.organization.name).toBe('team');
    const gone = await newUser(product, { role: 'bot' });
    const made = await gone.post('/conversations', { name: 'gone' });
    await product.admin.request('DELETE', `/users/${gone.user}`);
    const left = await product.admin.get(`/conversations/${made.body.id}?populate=createdBy`);
    expect(left.body.createdBy).toBe(gone.user);
  });

  test.each([
    'select=nothing',
    'select=name,-status',
    'select=',
    'select=participants.0',
    'select=__proto__',
    'select=meta.__proto__',
    'populate=nothing',
    'populate=name',
    'populate=contact:nothing',
    'populate=contact:',
    'populate=contact:a:b',
    'populate=contact,contact',
    'populate=participants',
    'populate=contact.conversation.contact.conversation',
    'populate=constructor',
    'limit=1',
  ])('a request for one record with ?%s is rejected with 400', async (query) => {
    const { status, body } = await product.admin.get(`/conversations/${conversation.id}?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });
});
