import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';

/** Spec 5.7: how an upsert finds its contact, and what it sets. */
describe('an upsert of a contact', () => {
  let product: Product;
  let bot: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('contact-upserts');
    bot = await newUser(product, { role: 'bot' });
  });
  afterAll(() => product.close());

  const upsert = (contact: object, more: object = {}) =>
    bot.post('/conversations', { type: 'contact', contact, ...more });
  const contactOf = async ({ contact }: { contact: string }) => (await bot.get(`/contacts/${contact}`)).body;

  test('an upsert without message and organization creates a contact with its external id, meta and settings', async () => {
    const contact = { externalId: 'crm-1', meta: { tier: 'gold' }, settings: { locale: 'nl' } };
    const made = await upsert(contact);
    expect([made.status, made.body.organization, made.body.messages]).toEqual([
      201,
      product.organization,
      [],
    ]);
    expect(await contactOf(made.body)).toMatchObject({ ...contact, profile: {} });
    const found = await upsert({
      externalId: 'crm-1',
      profile: { name: 'Ada' },
      meta: { vip: true, tier: null },
    });
    expect([found.status, found.body.id]).toEqual([200, made.body.id]);
    expect(await contactOf(found.body)).toMatchObject({ meta: { vip: true }, profile: { name: 'Ada' } });
    expect((await bot.get('/contacts?externalId=crm-1')).body).toHaveLength(1);
  });

  test('two upserts without messages both change the conversation', async () => {
    const contact = { externalId: 'twice' };
    const { id } = (await upsert(contact)).body;
    for (const name of ['first', 'second', 'third'])
      expect((await upsert(contact, { name })).status).toBe(200);
    expect((await bot.get(`/conversations/${id}`)).body.name).toBe('third');
  });

  test('an upsert without messages leaves a closed conversation closed', async () => {
    const contact = { externalId: 'closed' };
    expect((await upsert(contact, { status: 'closed' })).body.status).toBe('closed');
    expect((await upsert(contact, { name: 'renamed' })).body.status).toBe('closed');
    expect((await upsert(contact, { messages: [{ text: 'hi' }] })).body.status).toBe('queued');
  });

  test('an upsert by telephone that changes the email lists the values it replaced', async () => {
    const telephone = '+31201110001';
    const made = await upsert({ profile: { telephone, email: 'one@swallowed.example' }, meta: { a: 1 } });
    expect(made.body).not.toHaveProperty('replaced');
    const found = await upsert({
      profile: { telephone, email: 'two@swallowed.example', name: 'Two' },
      meta: { a: 2, b: 1 },
    });
    expect(found.body.replaced).toEqual([
      { path: 'contact.profile.email', was: 'one@swallowed.example' },
      { path: 'contact.meta.a', was: 1 },
    ]);
    const { headers } = await bot.get(`/conversations/${found.body.id}`);
    expect(found.headers.get('etag')).toBe(headers.get('etag'));
  });

  test.each([
    ['match all', '+31201110002', () => [{}, { match: 'all' }] as const],
    ['an external id each', '+31201110012', (row: number) => [{ externalId: `family-${row}` }] as const],
  ])(
    'an import of thirty people with one telephone and %s puts no two into one contact: the first has the telephone, and the others are refused with its id',
    async (_, telephone, given) => {
      const emailOf = (row: number) => `person-${row}.${telephone.slice(1)}@family.example`;
      const answers: Awaited<ReturnType<typeof upsert>>[] = [];
      for (let row = 0; row < 30; row += 1) {
        const [fields, more] = given(row);
        answers.push(await upsert({ profile: { telephone, email: emailOf(row) }, ...fields }, more));
      }
      const [first, ...others] = answers;
      const { contact } = first!.body;
      expect([first!.status, others.length]).toEqual([201, 29]);
      for (const { status, body } of others)
        expect([status, body.conflict]).toEqual([409, { resource: 'contacts', id: contact }]);
      expect((await contactOf({ contact })).profile).toEqual({ telephone, email: emailOf(0) });
      expect(
        (await bot.get(`/contacts?profile.telephone=${telephone.replace('+', '%2B')}`)).body,
      ).toHaveLength(1);
    },
  );

  test('match finds the contact by one identifier, and refuses a value of another contact with its id', async () => {
    const [ada, bob] = [
      await upsert({ profile: { telephone: '+31201110003' } }),
      await upsert({ profile: { email: 'bob@match.example' } }),
    ];
    const profile = { telephone: '+31201110003', email: 'bob@match.example' };
    const both = await upsert({ profile });
    expect([both.status, both.body.message]).toEqual([422, expect.stringContaining(bob.body.contact)]);
    const byTelephone = await upsert({ profile }, { match: 'telephone' });
    expect([byTelephone.status, byTelephone.body.conflict.id]).toEqual([409, bob.body.contact]);
    const byEmail = await upsert({ profile }, { match: 'email' });
    expect([byEmail.status, byEmail.body.conflict.id]).toEqual([409, ada.body.contact]);
    expect((await upsert({ profile: { email: 'x@match.example' } }, { match: 'telephone' })).status).toBe(
      400,
    );
    const named = await upsert({ profile: { email: 'bob@match.example', name: 'Bob' } }, { match: 'email' });
    expect([named.status, named.body.id]).toEqual([200, bob.body.id]);
  });

  test('twenty upserts of one new external id at once make one contact and one conversation', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => upsert({ externalId: 'at-once', meta: { [`k${n}`]: n } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.contact)).size).toBe(1);
    const { meta } = await contactOf(answers[0]!.body);
    expect(Object.keys(meta)).toHaveLength(20);
  });

  test('an external id belongs to one organization, so another organization may use the same', async () => {
    const other = (await product.admin.post('/organizations', { name: 'other' })).body.id;
    const here = await upsert({ externalId: 'same' });
    const there = await upsert({ externalId: 'same' }, { organization: other });
    // The bot is not above the other organization's parent, but reaches what is below its own.
    expect([here.status, there.status]).toEqual([201, 201]);
    expect(there.body.contact).not.toBe(here.body.contact);
  });

  test.each([
    [{}, 400],
    [{ externalId: ' ' }, 400],
    [{ externalId: 'x'.repeat(300) }, 400],
    [{ externalId: 7 }, 400],
    [{ externalId: 'bad', meta: { 'a.b': 1 } }, 400],
    [{ externalId: 'bad', settings: { $a: 1 } }, 400],
    [{ externalId: 'bad', meta: { big: 'x'.repeat(20_000) } }, 400],
    [{ externalId: 'bad', meta: [1] }, 400],
  ])('an upsert of the contact %j is refused and creates nothing', async (contact, status) => {
    expect((await upsert(contact)).status).toBe(status);
    expect((await bot.get('/contacts?externalId=bad')).body).toEqual([]);
  });

  test('a changed meta of a contact publishes contact.update once with its previous value, and an equal one publishes nothing', async () => {
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['contact.update', 'contact.create'] };
    await product.admin.post('/services', { name: 'contacts', type: 'webhook', params });
    for (const tier of ['a', 'b', 'b', 'c']) await upsert({ externalId: 'heard', meta: { tier } });
    const told = () =>
      receiver.received
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => JSON.parse(body) as { event: string; data: { contact: any; previous?: object } })
        .filter(({ data }) => data.contact.externalId === 'heard');
    await eventually(() => told().some(({ data }) => data.contact.meta.tier === 'c'));
    const seen = told().map(({ event, data }) => [`${event} ${data.contact.meta.tier}`, data.previous]);
    expect(Object.fromEntries(seen)).toEqual({
      'contact.create a': undefined,
      'contact.update b': { meta: { tier: 'a' } },
      'contact.update c': { meta: { tier: 'b' } },
    });
    expect(seen).toHaveLength(3);
    await receiver.close();
  });
});
