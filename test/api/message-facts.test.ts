import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 6: messages that depend on facts outside their conversation. */
describe('messages', () => {
  let product: Product;
  let bot: KeyHolder;
  let viewer: KeyHolder;
  let topic: string;
  let fixed: string;
  let unlisted: string;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('message_facts');
    bot = await newUser(product, { role: 'bot' });
    viewer = await newUser(product, { role: 'viewer' });
    const form = async (body: object) => (await product.admin.post('/forms', body)).body.id as string;
    topic = await form({ name: 'Order', fields: [{ name: 'Number', key: 'number' }] });
    fixed = await form({ name: 'Person', type: 'static' });
    unlisted = await form({ name: 'Other' });
    const categories = [
      { name: 'sales', forms: [topic, fixed] },
      { name: 'support', forms: [] },
    ];
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { categories });
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    conversation = (await product.admin.post('/conversations', { category: 'sales', categoryIndex: 0 })).body
      .id;
  });

  const say = (type: string, text: string, more: object = {}) =>
    product.admin.post('/messages', { conversation, type, text, ...more });
  const state = async () => (await product.admin.get(`/conversations/${conversation}`)).body;

  test('messages of type form add and remove forms of the category of the conversation, by name or id', async () => {
    expect((await say('form', '+Order')).status).toBe(201);
    expect((await say('form', '+', { meta: { form: fixed } })).status).toBe(201);
    const order = {
      form: topic,
      name: 'Order',
      type: 'topic',
      category: 'sales',
      categoryIndex: 0,
      values: {},
    };
    expect((await state()).forms).toMatchObject([order, { form: fixed, type: 'static' }]);
    expect((await say('form', '-Order')).status).toBe(201);
    expect((await state()).forms).toMatchObject([{ form: fixed }]);
    const refusals = [
      await say('form', '-Person'),
      await say('form', '+Other'),
      await say('form', '+Nothing'),
      await say('form', '+Order', { meta: { category: 'support' } }),
      await say('form', '+', { meta: { form: unlisted } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
    expect(refusals[1]!.body.message).toContain('"Other" is not listed');
  });

  test('a conversation keeps its category and forms when the list of categories changes', async () => {
    const { id: organization } = (await product.admin.post('/organizations', { name: 'changing' })).body;
    const form = (await product.admin.post('/forms', { name: 'Repair', organization })).body.id as string;
    const [sales, service] = [
      { name: 'sales', forms: [] },
      { name: 'service', forms: [form] },
    ];
    const change = (categories: object[]) =>
      product.admin.request('PATCH', `/organizations/${organization}`, { categories });
    await change([sales, service]);
    const [id, renamed] = await Promise.all(
      ['service', 'sales'].map(
        async (category) => (await product.admin.post('/conversations', { organization, category })).body.id,
      ),
    );
    await change([{ name: 'new', forms: [] }, { name: 'sold', forms: [] }, service]);
    const added = await product.admin.post('/messages', { conversation: id, type: 'form', text: '+Repair' });
    expect(added.status).toBe(201);
    const listed = async (query: string) =>
      (await product.admin.get(`/conversations?organization=${organization}&${query}`)).body as any[];
    await eventually(async () => (await listed('categoryIndex=2')).length > 0);
    expect(await listed('categoryIndex=2')).toMatchObject([
      { id, category: 'service', forms: [{ form, category: 'service', categoryIndex: 2 }] },
    ]);
    await eventually(async () => (await listed('categoryIndex=[0,1]')).length === 0);
    const [kept] = await listed('category=sales');
    expect(kept).toMatchObject({ id: renamed });
    expect(kept).not.toHaveProperty('categoryIndex');
  });

  test('messages of type form use the form of the category that their conversation starts with', async () => {
    const { id: organization } = (await product.admin.post('/organizations', { name: 'twins' })).body;
    const twin = async () => (await product.admin.post('/forms', { name: 'Intake', organization })).body.id;
    const [first, second] = [await twin(), await twin()];
    const categories = [
      { name: 'sales', forms: [first] },
      { name: 'support', forms: [second] },
    ];
    await product.admin.request('PATCH', `/organizations/${organization}`, { categories });
    const messages = [{ type: 'form', text: '+Intake' }];
    const contact = { profile: { email: 'twins@example.com' } };
    for (const [body, form] of [
      [{ category: 'support' }, second],
      [{ category: 'sales', contact }, first],
      [{ category: 'support', contact }, second],
    ] as const) {
      const made = await product.admin.post('/conversations', { organization, messages, ...body });
      expect([made.status < 300, made.body.forms?.at(-1)?.form]).toEqual([true, form]);
    }
  });

  test('messages of type field fill in the form in meta.form, and messages of type results complete the form', async () => {
    await say('form', '+Order');
    expect((await say('field', '.number 42', { meta: { form: 'Order' } })).status).toBe(201);
    expect((await state()).forms).toMatchObject([{ form: topic, values: { number: '42' } }]);
    const unknown = await say('field', '.size 42', { meta: { form: 'Order' } });
    expect([unknown.status, unknown.body.message]).toEqual([422, expect.stringContaining('number')]);
    expect((await say('field', '.a b', { meta: { form: 'Person' } })).status).toBe(422);
    const results = [{ form: topic, formName: 'Order', values: { number: '42' } }];
    const { body } = await say('results', 'done', { results });
    expect(await state()).toMatchObject({
      forms: [],
      results: [{ message: body.id, form: topic, name: 'Order', category: 'sales' }],
    });
  });

  test('messages of type results must name a form that their conversation can use', async () => {
    const { admin } = product;
    const complete = (result: object) => say('results', 'done', { results: [result] });
    const below = (await admin.post('/organizations', { name: 'below' })).body.id;
    const strange = (await admin.post('/forms', { name: 'Strange', organization: below })).body.id;
    const sayings = [
      await complete({ form: topic, values: { number: '1', colour: 'red' } }),
      await complete({ form: topic, values: { number: { digits: [1] } } }),
      await complete({ form: strange, formName: 'Strange' }),
      await complete({ form: 'f'.repeat(24), formName: 'Order' }),
    ];
    expect(sayings.map(({ status, body }) => [status, body.details?.[0]?.path])).toEqual([
      [422, 'results.0.values.colour'],
      [422, 'results.0.values.number'],
      [422, 'results.0.form'],
      [422, 'results.0.form'],
    ]);
    expect(sayings[0]!.body.message).toContain('"Order" has no such field; it has number');
    expect(sayings[3]!.body.message).toContain(`"Order" (${topic})`);
    const forms = [{ form: topic, name: 'Order', values: { number: { digits: [1] } } }];
    const repair = await admin.request('PATCH', `/conversations/${conversation}`, { forms });
    expect([repair.status, repair.body.details?.[0]?.path]).toEqual([422, 'forms.0.values.number']);
    const results = (from: number) =>
      Array.from({ length: 51 }, (_, at) => ({ form: `f${from + at}`, formName: 'F' }));
    const many = [0, 51].map((from) => ({ type: 'results', text: 'x', results: results(from) }));
    const flood = await admin.post(`/conversations/${conversation}/messages`, many);
    expect([flood.status, flood.body.message]).toEqual([422, expect.stringContaining('at most 100')]);
    // The form is not open here, but belongs to the organization.
    expect((await complete({ form: unlisted, formName: 'Other' })).status).toBe(201);
  });

  test('messages of type results may have the name and the values with which their form was opened, even if the form has changed or is deleted', async () => {
    const { admin } = product;
    const fields = [{ name: 'Day', key: 'day' }];
    const { id: organization } = (await admin.post('/organizations', { name: 'changing' })).body;
    const [kept, gone] = await Promise.all(
      ['Kept', 'Gone'].map(
        async (name) => (await admin.post('/forms', { name, organization, fields })).body.id,
      ),
    );
    const categories = [{ name: 'sales', forms: [kept, gone] }];
    await admin.request('PATCH', `/organizations/${organization}`, { categories });
    const messages = [
      { type: 'form', text: '+Kept' },
      { type: 'form', text: '+Gone' },
      { type: 'field', text: '.day Friday', meta: { form: kept } },
    ];
    conversation = (await admin.post('/conversations', { organization, category: 'sales', messages })).body
      .id;
    const change = { name: 'Renamed', fields: [{ name: 'Time', key: 'time' }] };
    await admin.request('PATCH', `/forms/${kept}`, change);
    await admin.request('DELETE', `/forms/${gone}`);
    const complete = (result: object) => say('results', 'done', { results: [result] });
    expect(
      (await complete({ form: kept, formName: 'Kept', values: { day: 'Friday', time: '9' } })).status,
    ).toBe(201);
    expect((await complete({ form: gone, formName: 'Gone', values: { day: 'Friday' } })).status).toBe(201);
    // Neither form is open now.
    expect((await complete({ form: kept, formName: 'Kept' })).status).toBe(201);
    expect((await complete({ form: gone, formName: 'Gone' })).status).toBe(422);
    expect((await state()).results).toMatchObject([{ name: 'Kept' }, { name: 'Gone' }, { name: 'Renamed' }]);
  });

  test('/notify separates channels with an online member from the other channels', async () => {
    const channel = async (name: string, online: boolean) => {
      const members = [{ user: bot.user, online }];
      return (await product.admin.post('/channels', { name, members })).body.id as string;
    };
    const [day, night] = [await channel('day', true), await channel('night', false)];
    await say('command', '/set status closed');
    expect((await say('command', '/notify')).status).toBe(201);
    expect(await state()).toMatchObject({ status: 'queued', channels: [day], channelsOffline: [night] });
    await say('command', '/notify', { meta: { channels: [night] } });
    expect(await state()).toMatchObject({ channels: [], channelsOffline: [night] });
    expect((await say('command', '/notify', { meta: { channels: ['f'.repeat(24)] } })).status).toBe(422);
  });

  test('messages of type field cannot make a profile invalid', async () => {
    const contact = { profile: { email: 'field@example.com' } };
    const messages = [{ text: 'hi', role: 'contact' }];
    const made = await product.admin.post('/conversations', {
      organization: product.organization,
      contact,
      messages,
    });
    const field = (text: string) =>
      product.admin.post('/messages', { conversation: made.body.id, type: 'field', text });
    expect((await field(`.name ${'x'.repeat(300)}`)).status).toBe(422);
    expect((await field('.email no address')).status).toBe(400);
    expect((await field('.telephone 1')).status).toBe(422);
    expect((await field('.email Field@Example.com ')).status).toBe(201);
    expect((await field('.address.city Delft')).status).toBe(201);
    const fields = Array.from({ length: 49 }, (_, n) => ({ type: 'field', text: `.address.f${n} x` }));
    expect((await product.admin.post(`/conversations/${made.body.id}/messages`, fields)).status).toBe(201);
    expect((await field('.address.more x')).status).toBe(422);
    const { body } = await product.admin.get(`/contacts/${made.body.contact}`);
    expect(body.profile).toMatchObject({ email: 'field@example.com', address: { city: 'Delft' } });
  });

  test('a request with seven commands is rejected as a whole if the categories stored with each make it too large', async () => {
    const categories = Array.from({ length: 1000 }, (_, n) => ({ name: `${n} ${'x'.repeat(190)}` }));
    const { id } = (await product.admin.post('/organizations', { name: 'many', categories })).body;
    const made = (await product.admin.post('/conversations', { organization: id })).body;
    const path = `/conversations/${made.id}/messages`;
    const command = { type: 'command', text: '/set category x' };
    const { status, body } = await product.admin.post(path, Array(7).fill(command));
    expect([status, body.code]).toEqual([413, 'too_large']);
    expect((await product.admin.get(path)).body).toEqual([]);
    expect((await product.admin.post(path, Array(3).fill(command))).status).toBe(201);
  });

  describe('a click on a button with messages as payload', () => {
    const payload = JSON.stringify([
      { type: 'command', text: '/set category support' },
      { text: 'I need help', role: 'bot' },
    ]);
    const click = (by: Pick<KeyHolder, 'post'>, text: string) =>
      by.post('/messages', { conversation, type: 'postback', text, role: 'contact' });
    const texts = async () =>
      (await bot.get(`/messages?conversation=${conversation}&sort=sequence`)).body.map(
        ({ type, role, text }: { type: string; role?: string; text: string }) => [type, role, text],
      );

    test('a click on a button with messages as payload posts these messages as the contact', async () => {
      const { status, body } = await click(bot, payload);
      expect([status, body]).toMatchObject([201, { type: 'postback', sequence: 1 }]);
      expect(await texts()).toEqual([
        ['postback', 'contact', payload],
        ['command', undefined, '/set category support'],
        ['chat', 'contact', 'I need help'],
      ]);
      expect(await state()).toMatchObject({ category: 'support', categoryIndex: 1 });
    });

    test('a click of a guest on a button with messages as payload posts the messages only if the button was offered to that guest', async () => {
      await product.admin.request('PATCH', `/conversations/${conversation}`, {
        participants: [{ user: viewer.user }],
      });
      const forged = { text: 'look', role: 'contact', actions: [{ type: 'postback', text: 'x', payload }] };
      expect((await viewer.post('/messages', { conversation, ...forged })).status).toBe(201);
      expect((await click(viewer, payload)).status).toBe(201);
      expect(await state()).toMatchObject({ category: 'sales' });
      const actions = [{ type: 'postback', text: 'Help', payload }];
      await bot.post('/messages', {
        conversation,
        text: 'Choose',
        role: 'bot',
        isBackchannel: false,
        actions,
      });
      expect((await click(viewer, payload)).status).toBe(201);
      expect(await state()).toMatchObject({ category: 'support' });
    });

    test.each([
      ['is not JSON', '{"text":'],
      ['is not a message', '{"texts":"x"}'],
      ['has an unknown message type', '{"text":"x","type":"shout"}'],
      ['removes a form that is not open', '[{"text":"x"},{"type":"form","text":"-Nothing"}]'],
    ])('a click is stored, but posts no further messages, if its payload %s', async (_, text) => {
      expect((await click(bot, text)).status).toBe(201);
      expect(await texts()).toEqual([['postback', 'contact', text]]);
    });
  });
});
