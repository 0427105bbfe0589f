import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { client } from '../support/client.ts';
import { newUser, sharedApi, startSecondApi } from '../support/shared-servers.ts';
import { ADMIN, signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 4.5: references between records, and cascading deletes. */
describe('references', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('references');
  });
  afterAll(() => product.close());

  const { make, patch, remove } = createRecordHelpers(() => product);

  /** Returns an admin of an organization, its conversation, and the records of a sibling. */
  async function newBranch() {
    const [one, other] = [
      await make('/organizations', { name: 'one' }),
      await make('/organizations', { name: 'other' }),
    ];
    const of = { organization: other.id };
    const records = {
      channels: await make('/channels', { name: 'c', ...of }),
      users: await make('/users', { role: 'bot', ...of }),
      services: await make('/services', { name: 's', type: 'webhook', params: {}, ...of }),
      forms: await make('/forms', { name: 'Secret', fields: [{ name: 'Bid', key: 'bid' }], ...of }),
    };
    const ids = Object.entries(records).map(([kind, { id }]) => [kind, id as string]);
    const { id: conversation } = await make('/conversations', { organization: one.id });
    const inside = await newUser(product, { role: 'admin', organization: one.id });
    const foreign = Object.fromEntries(ids) as Partial<Record<string, string>>;
    return { inside, conversation: conversation as string, organization: one.id as string, foreign };
  }

  describe('the references of an organization', () => {
    test('an organization with users, contacts, conversations or child organizations cannot be deleted, and the refusal names the kind of record', async () => {
      const { id: organization } = await make('/organizations', { name: 'full' });
      const path = `/organizations/${organization}`;
      const held: [string, object, string][] = [
        ['/organizations', { name: 'below', parent: organization }, 'organizations below it'],
        ['/users', { role: 'agent', organization }, 'users'],
        ['/contacts', { organization }, 'contacts'],
      ];
      for (const [kind, body, words] of held) {
        const { id } = await make(kind, body);
        const refused = await remove(path);
        expect([refused.status, refused.body.code]).toEqual([422, 'unprocessable']);
        expect(refused.body.message).toContain(words);
        expect((await product.admin.get(path)).status).toBe(200);
        expect((await remove(`${kind}/${id}`)).status).toBe(204);
      }
      await make('/conversations', { organization });
      expect((await remove(path)).body.message).toContain('conversations');
    });

    test('an organization without users, contacts and conversations is deleted with its forms and channels, and removed from its groups', async () => {
      const { id: organization } = await make('/organizations', { name: 'empty' });
      const form = await make('/forms', { name: 'form', organization });
      const channel = await make('/channels', { name: 'channel', organization });
      const group = await make('/orggroups', { name: 'group', organizations: [organization] });
      expect((await remove(`/organizations/${organization}`)).status).toBe(204);
      const gone = [`/organizations/${organization}`, `/forms/${form.id}`, `/channels/${channel.id}`];
      for (const path of gone) expect((await product.admin.get(path)).status, path).toBe(404);
      expect((await product.admin.get(`/orggroups/${group.id}`)).body.organizations).toEqual([]);
      expect((await remove(`/organizations/${organization}`)).status).toBe(404);
      expect((await product.admin.post('/users', { role: 'agent', organization })).status).toBe(403);
    });

    test('an admin cannot delete their own organization', async () => {
      expect((await remove(`/organizations/${product.organization}`)).status).toBe(422);
    });

    test('the parent of an organization cannot be changed or cleared', async () => {
      const [one, two] = [
        await make('/organizations', { name: '1' }),
        await make('/organizations', { name: '2' }),
      ];
      const path = `/organizations/${one.id}`;
      expect((await patch(path, { parent: one.parent, name: '3' })).body.name).toBe('3');
      expect((await patch(path, { parent: two.id })).status).toBe(422);
      expect((await patch(path, { parent: ABSENT })).status).toBe(403);
      expect((await patch(path, { parent: null })).status).toBe(400);
      expect((await product.admin.get(path)).body).toMatchObject({ parent: one.parent, path: one.path });
    });
  });

  describe('the references of a category to forms', () => {
    test('the forms of a category must exist, and a deleted form is removed from the category', async () => {
      const [one, two] = [await make('/forms', { name: 'one' }), await make('/forms', { name: 'two' })];
      const categories = [
        { name: 'A', forms: [one.id, two.id] },
        { name: 'B', forms: [one.id] },
        { name: 'C' },
      ];
      const organization = await make('/organizations', { name: 'listing', categories });
      const path = `/organizations/${organization.id}`;
      expect(organization.categories).toEqual([...categories.slice(0, 2), { name: 'C', forms: [] }]);
      for (const forms of [[ABSENT], [one.id, 'nonsense']]) {
        const refused = await patch(path, { categories: [{ name: 'A', forms }] });
        expect([refused.status, refused.body.details[0].path]).toEqual([
          422,
          `categories.0.forms.${forms.length - 1}`,
        ]);
        expect(
          (await product.admin.post('/organizations', { name: 'x', categories: [{ name: 'A', forms }] }))
            .status,
        ).toBe(422);
      }
      expect((await remove(`/forms/${one.id}`)).status).toBe(204);
      expect((await product.admin.get(path)).body.categories).toEqual([
        { name: 'A', forms: [two.id] },
        { name: 'B', forms: [] },
        { name: 'C', forms: [] },
      ]);
    });

    test('the categories of an organization require distinct names', async () => {
      const repeated = [{ name: 'A' }, { name: 'B' }, { name: 'A' }];
      const { id } = await make('/organizations', { name: 'named', categories: repeated.slice(1) });
      for (const refused of [
        await product.admin.post('/organizations', { name: 'x', categories: repeated }),
        await patch(`/organizations/${id}`, { categories: repeated }),
      ]) {
        expect([refused.status, refused.body.details[0].path]).toEqual([422, 'categories.2.name']);
      }
    });

    test('the name of a category has at most 200 characters, an emoji counting as two, and a conversation accepts each such name', async () => {
      const names = ['x'.repeat(200), '\u{1F600}'.repeat(100)];
      const categories = names.map((name) => ({ name }));
      const organization = await make('/organizations', { name: 'long', categories });
      for (const category of names) await make('/conversations', { organization: organization.id, category });
      for (const name of ['x'.repeat(201), '\u{1F600}'.repeat(101)]) {
        const refused = await patch(`/organizations/${organization.id}`, {
          categories: [...categories, { name }],
        });
        expect([refused.status, refused.body.details[0].path]).toEqual([400, 'categories.2.name']);
      }
    });

    test('a form out of reach cannot be added to a category, but an existing form can stay', async () => {
      const { id: form } = await make('/forms', { name: 'from above' });
      const { id: organization } = await make('/organizations', {
        name: 'branch',
        categories: [{ name: 'A', forms: [form] }],
      });
      const inside = await newUser(product, { role: 'admin', organization });
      const kept = await inside.request('PATCH', `/organizations/${organization}`, {
        categories: [{ name: 'A', forms: [form] }, { name: 'B' }],
      });
      expect(kept.status).toBe(200);
      const body = { name: 'leaf', categories: [{ name: 'A', forms: [form] }] };
      expect((await inside.post('/organizations', body)).status).toBe(422);
    });
  });

  describe('the references of a channel to its members', () => {
    test('the members of a channel must be different existing users, are offline by default, and are removed when the user is deleted', async () => {
      const [one, two] = [await make('/users', { role: 'agent' }), await make('/users', { role: 'agent' })];
      const { id, members } = await make('/channels', {
        name: 'team',
        members: [{ user: one.id, online: true }, { user: two.id }],
      });
      expect(members).toEqual([
        { user: one.id, online: true },
        { user: two.id, online: false },
      ]);
      const path = `/channels/${id}`;
      for (const [at, given] of [
        [0, [{ user: ABSENT }]],
        [1, [{ user: one.id }, { user: one.id }]],
      ] as const) {
        const refused = await patch(path, { members: given });
        expect([refused.status, refused.body.details[0].path]).toEqual([422, `members.${at}.user`]);
      }
      const online = await product.admin.get('/channels?members.online=true');
      expect(online.body.map((channel: { id: string }) => channel.id)).toEqual([id]);
      expect((await remove(`/users/${one.id}`)).status).toBe(204);
      expect((await product.admin.get(path)).body.members).toEqual([{ user: two.id, online: false }]);
      expect((await product.admin.get('/channels?members.online=true')).body).toEqual([]);
    });

    test('the members of a channel are replaced as a list, with defaults, and cleared by null', async () => {
      const { id: user } = await make('/users', { role: 'agent' });
      const { id } = await make('/channels', { name: 'team', members: [{ user, online: true }] });
      const path = `/channels/${id}`;
      expect((await patch(path, { meta: { a: { b: 1 } } })).body.members).toEqual([{ user, online: true }]);
      expect((await patch(path, { members: [{ user }] })).body.members).toEqual([{ user, online: false }]);
      expect((await patch(path, { meta: { a: { c: 2 } } })).body.meta).toEqual({ a: { c: 2 } });
      expect((await patch(path, { members: null, meta: null })).body).toMatchObject({
        members: [],
        meta: {},
      });
    });

    test('the members of a channel are limited to users within reach', async () => {
      const { id: organization } = await make('/organizations', { name: 'branch' });
      const inside = await newUser(product, { role: 'admin', organization });
      const { id: user } = await make('/users', { role: 'agent' });
      expect((await inside.post('/channels', { name: 'x', members: [{ user }] })).status).toBe(422);
      const own = await inside.post('/channels', { name: 'x', members: [{ user: inside.user }] });
      expect(own.status).toBe(201);
    });
  });

  describe('the references of a group to organizations', () => {
    test('the organizations of a group must be distinct and within the reach of the caller', async () => {
      const [one, two] = [
        await make('/organizations', { name: '1' }),
        await make('/organizations', { name: '2' }),
      ];
      const { id, organizations } = await make('/orggroups', {
        name: 'both',
        organizations: [one.id, two.id],
      });
      expect(organizations).toEqual([one.id, two.id]);
      const inside = await newUser(product, { role: 'admin', organization: one.id });
      expect((await inside.post('/orggroups', { name: 'x', organizations: [two.id] })).status).toBe(403);
      expect((await inside.post('/orggroups', { name: 'x', organizations: [one.id] })).status).toBe(201);
      expect((await patch(`/orggroups/${id}`, { organizations: [ABSENT] })).status).toBe(403);
      expect((await patch(`/orggroups/${id}`, { organizations: [one.id, one.id] })).status).toBe(400);
      const found = await product.admin.get(`/orggroups?organizations=${two.id}`);
      expect(found.body.map((group: { id: string }) => group.id)).toEqual([id]);
    });
  });

  describe('the references of conversations and messages', () => {
    const noteOf = (refused: { status: number; body: Record<string, unknown> }, id: string) => [
      refused.status,
      JSON.stringify(refused.body).replaceAll(id, 'ID'),
    ];

    test.each([
      ['channels', 'channels', (id: string) => ({ channels: [id] })],
      ['channelsOffline', 'channels', (id: string) => ({ channelsOffline: [id] })],
      ['participants', 'users', (id: string) => ({ participants: [{ user: id }] })],
      ['touchpoints', 'services', (id: string) => ({ touchpoints: { web: { services: [id] } } })],
      ['forms', 'forms', (id: string) => ({ forms: [{ form: id, name: 'Secret' }] })],
    ])(
      'PATCH of a conversation refuses %s of another organization like missing ones',
      async (_, kind, body) => {
        const { inside, conversation, foreign } = await newBranch();
        const name = (id: string) => inside.request('PATCH', `/conversations/${conversation}`, body(id));
        const refused = noteOf(await name(foreign[kind] ?? ''), foreign[kind] ?? '');
        expect(refused).toEqual([422, expect.stringContaining('there is no')]);
        expect(noteOf(await name(ABSENT), ABSENT)).toEqual(refused);
      },
    );

    test.each([
      ['a service', 'services', (id: string) => ({ service: id })],
      ['a mentioned user', 'users', (id: string) => ({ type: 'mention', meta: { targetUser: [id] } })],
      ['a mentioned bot', 'users', (id: string) => ({ type: 'mention', meta: { targetBot: id } })],
      ['a form', 'forms', (id: string) => ({ type: 'results', results: [{ form: id, formName: 'x' }] })],
    ])('a message refuses %s of another organization like a missing one', async (_, kind, body) => {
      const { inside, conversation, foreign } = await newBranch();
      const say = (id: string) =>
        inside.post(`/conversations/${conversation}/messages`, { text: 'x', ...body(id) });
      const refused = noteOf(await say(foreign[kind] ?? ''), foreign[kind] ?? '');
      expect(refused).toEqual([422, expect.stringContaining('there is no')]);
      expect(noteOf(await say(ABSENT), ABSENT)).toEqual(refused);
    });

    test('unblock refuses a bot of another organization like a missing one', async () => {
      const { inside, conversation, foreign } = await newBranch();
      const unblock = async (bot = '') =>
        noteOf(await inside.post(`/conversations/${conversation}/unblock`, { bot }), bot);
      expect(await unblock(foreign['users'])).toEqual([
        422,
        expect.stringContaining('there is no such user'),
      ]);
      expect(await unblock(ABSENT)).toEqual(await unblock(foreign['users']));
      expect((await inside.post(`/conversations/${conversation}/unblock`, { bot: inside.user })).status).toBe(
        200,
      );
    });

    test('a form of another organization that is open in a conversation reveals neither its name nor its fields', async () => {
      const { inside, conversation, foreign } = await newBranch();
      const open = [{ form: foreign['forms'], name: 'x' }];
      expect((await patch(`/conversations/${conversation}`, { forms: open })).status).toBe(422);
      const results = [{ form: foreign['forms'], formName: 'x', values: { q: '1' } }];
      const { body } = await inside.post('/messages', { conversation, type: 'results', text: 'x', results });
      expect(JSON.stringify(body)).not.toMatch(/Secret|bid/);
    });

    test('PATCH of a conversation requires fields of its forms, and replaces a former name', async () => {
      const form = await make('/forms', { name: 'Order', fields: [{ name: 'Size', key: 'size' }] });
      const { id } = await make('/conversations', {});
      const open = (more: object) =>
        patch(`/conversations/${id}`, { forms: [{ form: form.id, name: 'G', ...more }] });
      const refusals = [await open({ values: { zzz: 1 } }), await open({ type: 'static' })];
      expect(refusals.map(({ status, body }) => [status, body.details[0].path])).toEqual([
        [422, 'forms.0.values.zzz'],
        [422, 'forms.0.type'],
      ]);
      const { body } = await open({ values: { size: 'L' } });
      const opened = { form: form.id, name: 'Order', type: 'topic', values: { size: 'L' } };
      expect(body.forms).toMatchObject([opened]);
      await remove(`/forms/${form.id}`);
      expect((await patch(`/conversations/${id}`, { forms: body.forms })).body.forms).toMatchObject([opened]);
    });

    test('a caller may send back what a conversation, channel or message already names', async () => {
      const { inside, conversation, organization } = await newBranch();
      const { id: above } = await make('/users', { role: 'agent' });
      const { id: channel } = await make('/channels', { name: 'team' });
      const named = { channels: [channel], participants: [{ user: above }] };
      expect((await patch(`/conversations/${conversation}`, named)).status).toBe(200);
      const kept = await inside.request('PATCH', `/conversations/${conversation}`, named);
      expect([kept.status, kept.body.channels]).toEqual([200, [channel]]);
      const members = [{ user: above }];
      const team = await make('/channels', { name: 'mixed', members, organization });
      expect((await inside.request('PATCH', `/channels/${team.id}`, { members })).status).toBe(200);
      const mention = { type: 'mention', text: '@x', meta: { targetUser: above } };
      const said = await inside.post('/messages', { conversation, ...mention });
      expect(said.status).toBe(201);
      await remove(`/users/${above}`);
      const edit = { text: '@y', meta: mention.meta };
      expect((await inside.request('PATCH', `/messages/${said.body.id}`, edit)).status).toBe(200);
    });

    test('a mention may name a bot of an organization above, and a message a system outside', async () => {
      const { inside, conversation } = await newBranch();
      const { id: bot } = await make('/users', { role: 'bot' });
      const say = (body: object) => inside.post('/messages', { conversation, text: 'x', ...body });
      expect((await say({ type: 'mention', meta: { targetBot: bot } })).status).toBe(201);
      expect((await say({ service: 'crm' })).status).toBe(201);
    });
  });

  test('the names of event types are unique per organization, also under concurrent creation', async () => {
    const { id: organization } = await make('/organizations', { name: 'events' });
    const both = await Promise.all(
      [1, 2].map(() => product.admin.post('/eventtypes', { name: 'a.b', organization })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = both.find(({ status }) => status === 409)!;
    expect([refused.body.code, refused.body.details[0].path]).toEqual(['conflict', 'name']);
    await make('/eventtypes', { name: 'a.b' });
    const { id } = await make('/eventtypes', { name: 'a.c', organization });
    expect((await patch(`/eventtypes/${id}`, { name: 'a.b' })).status).toBe(409);
    expect(
      (await patch(`/eventtypes/${id}`, { organization: product.organization, name: 'a.b' })).status,
    ).toBe(409);
    expect((await patch(`/eventtypes/${id}`, { name: 'a.c', description: 'd' })).body.description).toBe('d');
  });

  test('the last admin of the root organization cannot be deleted, moved or demoted', async () => {
    const { base, close } = await startSecondApi('last_admin');
    onTestFinished(close);
    const admin = client(base, (await signIn(base, ADMIN)).token);
    const { make, patch, remove } = createRecordHelpers(() => ({ admin }));
    const { body: first } = await admin.get('/users/me');
    const { id: below } = await make('/organizations', { name: 'below' });
    await make('/users', { role: 'admin', organization: below });
    const path = `/users/${first.id}`;
    const tries = [remove(path), patch(path, { role: 'agent' }), patch(path, { organization: below })];
    for (const { status, body } of await Promise.all(tries)) {
      expect([status, body.code]).toEqual([422, 'unprocessable']);
      expect(body.message).toContain('last admin of the root organization');
    }
    expect((await patch(path, { role: 'admin', givenName: 'Root' })).body).toMatchObject({
      givenName: 'Root',
    });
    for (let turn = 0; turn < 5; turn++) {
      const second = await newUser({ admin, base }, { role: 'admin' });
      const answers = await Promise.all([
        patch(`/users/${second.user}`, { role: 'agent' }),
        second.request('PATCH', path, { role: 'agent' }),
      ]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
      const left = answers[1].status === 200 ? second : admin;
      expect((await left.get('/users?role=admin')).body.length).toBeGreaterThan(0);
      expect((await left.request('PATCH', path, { role: 'admin' })).status).toBe(200);
      expect([204, 404]).toContain((await remove(`/users/${second.user}`)).status);
    }
  });
});
