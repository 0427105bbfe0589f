import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newChannel } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { naiveReport } from '../support/naive-report.ts';
import type { Product } from '../support/product.ts';
import { respondWith } from '../support/receiver.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

/** Spec 5.16. */
describe('GET /organizations/{id}/report', () => {
  let product: Product;
  let below: string;
  const report = (query = '', id = product.organization) =>
    product.admin.get(`/organizations/${id}/report${query && `?${query}`}`);
  const newOrganization = async (name: string, parent?: string) =>
    (await product.admin.post('/organizations', { name, parent })).body.id as string;

  beforeAll(async () => {
    product = await sharedApi('report');
    below = await newOrganization('below');
    await product.admin.request('PATCH', `/organizations/${product.organization}`, {
      categories: [{ name: 'sales' }],
    });
    await newUser(product, { role: 'agent', organization: below });
    const { admin } = product;
    const agent = await newUser(product, { role: 'agent', organization: product.organization });
    const steps = [
      { by: admin, message: { role: 'contact', text: 'Hello', touchpoint: 'sms' } },
      { by: admin, message: { role: 'bot', text: 'A reply', isBackchannel: false } },
      { by: agent, message: { type: 'command', text: '/accept' } },
      { by: admin, message: { type: 'command', text: '/set status closed' } },
      { by: admin, message: { role: 'contact', text: 'Again' } },
    ];
    for (let count = 0; count <= steps.length; count++) {
      const organization = count === 2 ? below : product.organization;
      const category = count === 3 ? { category: 'sales' } : {};
      const created = await admin.post('/conversations', { organization, ...category });
      for (const { by, message } of steps.slice(0, count)) {
        const posted = await by.post('/messages', { conversation: created.body.id, ...message });
        expect(posted).toMatchObject({ status: 201 });
      }
    }
  });
  afterAll(() => product.close());

  test('a report equals a computation over the list of conversations', async () => {
    const { status, body } = await report('timeZone=Pacific/Auckland');
    expect(status).toBe(200);
    const { organization, since, until, timeZone, failures, ...figures } = body;
    const listed = (await product.admin.get(`/conversations?createdAt=>=${since},<${until}&limit=1000`)).body;
    expect(listed).toHaveLength(6);
    const range = { since: Date.parse(since), until: Date.parse(until), timeZone };
    expect(figures).toEqual(naiveReport(listed, range, { bot: 4, agents: [] }));
    expect(figures.agents).toMatchObject([{ conversations: 3, replies: 0 }]);
    expect(failures).toEqual({ webhooks: 0, channels: 0, services: [] });
    expect(figures.times).toMatchObject({
      accept: { conversations: 3 },
      firstReply: { conversations: 4 },
      close: { conversations: 2 },
    });
    expect(figures.categories).toEqual([{ name: 'sales', conversations: 1 }]);
    expect(organization).toBe(product.organization);
  });

  test('a report of an organization has no conversation of an organization above or beside it', async () => {
    expect((await report('', below)).body).toMatchObject({ organization: below, conversations: 1 });
    const beside = await newOrganization('beside');
    expect((await report('', beside)).body).toMatchObject({
      conversations: 0,
      categories: [],
      times: { accept: { conversations: 0, median: null, p90: null } },
    });
  });

  test('an agent gets no report, and a bot gets the report of its organization only', async () => {
    const agent = await newUser(product, { role: 'agent', organization: product.organization });
    expect((await agent.get(`/organizations/${product.organization}/report`)).status).toBe(403);
    const bot = await newUser(product, { role: 'bot', organization: below });
    expect((await bot.get(`/organizations/${below}/report`)).status).toBe(200);
    expect((await bot.get(`/organizations/${product.organization}/report`)).status).toBe(404);
  });

  test('a report has the work of agents by name, the replies of bots and people, and failed deliveries', async () => {
    const { admin } = product;
    const organization = await newOrganization('people');
    await admin.request('PATCH', `/organizations/${organization}`, { displayName: 'People' });
    const names = { givenName: 'Grace', familyName: 'Hopper', email: 'grace@report.example.com' };
    const grace = await newUser(product, { role: 'agent', organization, ...names });
    const nameless = await newUser(product, { role: 'agent', organization });
    const bot = await newUser(product, { role: 'bot', organization });
    const channel = await newChannel(admin, { organization });
    channel.adapter.behave(respondWith(422, '{"error":{"code":"spam","message":"no"}}'));
    let people = 0;
    const begin = async (by: ApiClient, texts: object[]) => {
      const { body } = await bot.post('/conversations', {
        organization,
        contact: { profile: { telephone: `+3161234567${(people += 1)}` } },
        messages: [{ role: 'contact', text: 'Hello' }],
      });
      for (const message of texts) {
        const posted = await by.post('/messages', { conversation: body.id, ...message });
        expect(posted).toMatchObject({ status: 201 });
      }
    };
    const close = { type: 'command', text: '/set status closed' };
    const reply = { role: 'agent', text: 'A reply' };
    await begin(grace, [
      reply,
      { ...reply, isBackchannel: true },
      { ...reply, service: channel.service },
      close,
    ]);
    await begin(nameless, [reply]);
    await begin(bot, [{ role: 'bot', text: 'A reply', isBackchannel: false }, close]);
    const body = await eventually(async () => {
      const { body: found } = await report('', organization);
      return found.failures.channels > 0 && found;
    });
    expect(body.replies).toEqual({ bot: 1, agent: 3, closedWithoutAgent: 1 });
    expect(body.agents).toMatchObject([
      {
        ...{ user: grace.user, name: 'Grace Hopper', conversations: 1, replies: 2 },
        times: { firstReply: { conversations: 1, p90: expect.any(Number) }, close: { conversations: 1 } },
        ratings: { conversations: 0, average: null },
      },
      { user: nameless.user, conversations: 1, replies: 1, times: { close: { conversations: 0 } } },
    ]);
    expect(body.agents[1].name).toBeUndefined();
    expect(JSON.stringify(body)).not.toContain('@');
    const failing = { service: channel.service, name: 'SMS by an adapter', type: 'api', deliveries: 1 };
    expect(body.failures).toEqual({ webhooks: 0, channels: 1, services: [failing] });
    expect((await report('', await newOrganization('without people'))).body.agents).toEqual([]);
    await channel.close();
  });

  test('a date alone begins at midnight in the time zone, and the range is 30 days by default', async () => {
    const { body } = await report('since=2026-03-28&until=2026-03-31&timeZone=Europe/Amsterdam');
    expect(body).toMatchObject({ since: '2026-03-27T23:00:00.000Z', until: '2026-03-30T22:00:00.000Z' });
    const days = ['2026-03-28', '2026-03-29', '2026-03-30'];
    expect(body.days).toEqual(days.map((day) => ({ day, conversations: 0 })));
    expect((await report('until=2026-03-31')).body).toMatchObject({ since: '2026-03-01T00:00:00.000Z' });
  });

  test.each([
    ['since=yesterday', 'since'],
    ['since=2026-02-30', 'since'],
    ['since=', 'since'],
    ['until=1999-12-31', 'until'],
    ['until=9999-12-31T24:00:00Z', 'until'],
    ['since=2026-03-02&until=2026-03-01', 'since'],
    ['since=2026-03-01&until=2026-03-01', 'since'],
    ['since=2025-01-01&until=2026-03-01', 'since'],
    ['since=2026-03-01&since=2026-03-02', 'since'],
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['timeZone=', 'timeZone'],
    [`timeZone=${'x'.repeat(200)}`, 'timeZone'],
    ['timezone=UTC', 'timezone'],
    ['status=queued', 'status'],
  ])('a report with %s is refused with 400 that names the parameter', async (query, name) => {
    const { status, body } = await report(query);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.details[0].path).toBe(name);
  });

  test('400 days of 24 hours, and 400 local days with a change of the clock, are not too many', async () => {
    const days = async (query: string) => (await report(query)).body.days.length;
    expect(await days('since=2025-01-01&until=2026-02-05')).toBe(400);
    expect(await days('since=2025-09-01&until=2026-10-06&timeZone=Europe/Amsterdam')).toBe(400);
  });
});
