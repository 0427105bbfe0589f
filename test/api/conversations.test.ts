import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 5.7. */
describe('conversations', () => {
  let product: Product;
  let bot: KeyHolder;
  let people = 0;

  beforeAll(async () => {
    product = await sharedApi('conversations');
    bot = await newUser(product, { role: 'bot' });
  });
  afterAll(() => product.close());

  const upsert = (
    profile: object,
    messages: object[] = [{ text: 'hi', role: 'contact' }],
    more: object = {},
  ) =>
    bot.post('/conversations', {
      organization: product.organization,
      type: 'contact',
      contact: { profile },
      messages,
      ...more,
    });
  const someone = () => ({ email: `person${people++}@example.com` });
  const count = async (path: string) => Number((await bot.get(path)).headers.get('x-total'));

  describe('a plain create', () => {
    test('a plain create fills in defaults and returns the location of the conversation', async () => {
      const { status, body, headers } = await bot.post('/conversations', {});
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`${product.base}/conversations/${body.id}`);
      expect(body).toMatchObject({
        type: 'bot',
        status: 'queued',
        organization: product.organization,
        url: `${product.origin}/c/${body.slug}`,
        messages: [],
        meta: {},
        participants: [{ user: bot.user, unreadCount: 0, active: false, inbox: false }],
        createdBy: bot.user,
      });
      expect(body.slug).toMatch(/^[\w-]{16}$/);
      expect((await bot.get(`/conversations/${body.id}`)).body).toEqual(body);
    });

    test('a plain create posts its messages in order', async () => {
      const { body } = await bot.post('/conversations', {
        name: 'Greeting',
        status: 'active',
        meta: { source: 'test' },
        messages: [{ text: 'one' }, { text: 'two' }],
      });
      expect(body).toMatchObject({ name: 'Greeting', status: 'active', meta: { source: 'test' } });
      const { body: messages } = await bot.get(`/conversations/${body.id}/messages`);
      expect(messages).toMatchObject([
        { text: 'one', sequence: 1 },
        { text: 'two', sequence: 2 },
      ]);
      expect(body.messages).toEqual((messages as { id: string }[]).map(({ id }) => id));
    });

    test('a plain create omits delayed messages from the response, and lists messages with the same external id once', async () => {
      const later = await bot.post('/conversations', {
        messages: [{ text: 'now' }, { text: 'later', delay: 3_600_000 }],
      });
      expect(later.body.messages).toHaveLength(1);
      const twice = { text: 'twice', externalId: 'the same' };
      const known = await bot.post('/conversations', { messages: [twice, twice, { text: 'once' }] });
      expect(known.body.messages).toHaveLength(2);
      for (const { body } of [later, known]) {
        expect((await bot.get(`/conversations/${body.id}`)).body.messages).toEqual(body.messages);
      }
    });

    test('a plain create is rejected for a contact that has a conversation or does not exist', async () => {
      const contact = (await bot.post('/contacts', { profile: someone() })).body;
      expect(contact).not.toHaveProperty('conversation');
      const answers = await Promise.all(
        [1, 2, 3].map((n) =>
          bot.post('/conversations', { contact: contact.id, messages: [{ text: `n${n}` }] }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      const made = answers.find(({ status }) => status === 201)!.body;
      expect((await bot.get(`/contacts/${contact.id}`)).body.conversation).toBe(made.id);
      expect((await bot.get(`/conversations/${made.id}`)).body.messages).toHaveLength(1);
      expect((await bot.post('/conversations', { contact: ABSENT })).status).toBe(422);
    });

    test.each([
      ['a type outside its enum', { type: 'alien' }],
      ['a status outside its enum', { status: 'lost' }],
      ['a category index that is no number', { categoryIndex: 'one' }],
      ['a bad message', { messages: [{ text: 'good' }, { text: '' }] }],
      ['a meta key with a dot', { meta: { 'a.b': 1 } }],
      ['more than a hundred messages', { messages: Array(101).fill({ text: 'x' }) }],
    ])('a plain create with %s is rejected with 400 and stores nothing', async (_, body) => {
      const before = await count('/conversations');
      expect((await bot.post('/conversations', body)).status).toBe(400);
      expect(await count('/conversations')).toBe(before);
    });
  });

  describe('an upsert', () => {
    test('an upsert creates contact and conversation once, then finds both by telephone or email', async () => {
      const { email } = someone();
      const made = await upsert({
        name: 'Ada',
        email: ` ${email.toUpperCase()} `,
        telephone: '+1 202-555-0147',
      });
      expect(made.status).toBe(201);
      const byTelephone = await upsert({ telephone: '+12025550147' });
      const byEmail = await upsert({ email, name: 'Ada L.' });
      expect([byTelephone.status, byEmail.status]).toEqual([200, 200]);
      expect([byTelephone.body.id, byEmail.body.id]).toEqual([made.body.id, made.body.id]);
      expect(byEmail.body.messages).toHaveLength(3);
      const contact = (await bot.get(`/contacts/${made.body.contact}`)).body;
      expect(contact).toMatchObject({
        conversation: made.body.id,
        profile: { name: 'Ada L.', email, telephone: '+12025550147' },
      });
    });

    test('an upsert that is sent twenty times at once creates one contact and one conversation', async () => {
      const { email } = someone();
      const answers = await Promise.all(Array.from({ length: 20 }, () => upsert({ email })));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await count(`/contacts?profile.email=${email}`)).toBe(1);
      expect((await bot.get(`/conversations/${answers[0]!.body.id}`)).body.messages).toHaveLength(20);
    });

    test('an upsert creates a conversation for a contact without conversation', async () => {
      const profile = someone();
      const contact = (await bot.post('/contacts', { profile })).body;
      const made = await upsert(profile);
      expect([made.status, made.body.contact]).toEqual([201, contact.id]);
    });

    test('an upsert that is rejected leaves a contact without conversation unchanged', async () => {
      const profile = someone();
      const contact = (await bot.post('/contacts', { profile })).body;
      const command = { text: '/set status lost', type: 'command' };
      expect((await upsert({ ...profile, name: 'New' }, [command])).status).toBe(422);
      expect((await bot.get(`/contacts/${contact.id}`)).body).toEqual(contact);
    });

    test('an upsert queues a closed conversation again', async () => {
      const profile = someone();
      const { id } = (await upsert(profile)).body;
      await bot.post('/messages', { conversation: id, type: 'command', text: '/set status closed' });
      expect((await bot.get(`/conversations/${id}`)).body.status).toBe('closed');
      expect((await upsert(profile, [{ text: 'later', role: 'bot' }])).body.status).toBe('queued');
    });

    test('an upsert applies field messages to profile fields that the upsert does not set', async () => {
      const made = await upsert(someone(), [{ type: 'field', text: '.locale nl' }]);
      const contact = (await bot.get(`/contacts/${made.body.contact}`)).body;
      expect(contact.profile.locale).toBe('nl');
    });

    test('an upsert is rejected if telephone and email belong to two contacts', async () => {
      const [one, two] = [someone(), { telephone: '+12025550148' }];
      await upsert(one);
      await upsert(two);
      expect((await upsert({ ...one, ...two })).status).toBe(422);
    });

    test.each([
      ['neither email nor telephone', 400, { contact: { profile: { name: 'x' } } }],
      ['no profile', 400, { contact: {} }],
      ['an invalid email', 400, { contact: { profile: { email: 'x' } } }],
      ['a telephone number that cannot exist', 422, { contact: { profile: { telephone: '+1 000' } } }],
      ['a bad message', 400, { messages: [{ text: 'a', type: 'shout' }] }],
      ['an invalid command', 422, { messages: [{ text: '/set status lost', type: 'command' }] }],
    ])('an upsert with %s is rejected and stores nothing', async (_, status, more) => {
      const before = [await count('/contacts'), await count('/conversations')];
      expect((await upsert(someone(), [{ text: 'x' }], more)).status).toBe(status);
      expect([await count('/contacts'), await count('/conversations')]).toEqual(before);
    });
  });
});
