import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newChannel, newEntry, untilDelivery } from '../support/channels.ts';
import type { TestChannel } from '../support/channels.ts';
import { oddRequests } from '../support/odd-requests.ts';
import type { ApiOperation } from '../support/odd-requests.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';

/** `PARLANCE_FUZZ_SEED=$RANDOM PARLANCE_FUZZ_REQUESTS=100000` tries other requests. */
const SEED = Number(process.env['PARLANCE_FUZZ_SEED'] ?? 1_350_159_860);
const REQUESTS = Number(process.env['PARLANCE_FUZZ_REQUESTS'] ?? 500);
const TOGETHER = 4;
const TIMEOUT_MS = 3_600_000;

interface Described {
  requestBody: { content: Record<string, { schema: object }> };
}

/** Bad input of the routes of channels (spec 15). */
describe('the routes of channels', () => {
  let product: Product;
  let channel: TestChannel;
  let message: string;
  let operations: ApiOperation[];
  let schemas: Record<string, object>;

  beforeAll(async () => {
    product = await sharedApi('channel_fuzz');
    const { admin } = product;
    channel = await newChannel(admin);
    const conversation = await channel.begin('+31654000001');
    message = (await admin.post('/messages', { conversation, text: 'Hi', role: 'agent' })).body.id;
    await untilDelivery(admin, message, 'sent');
    const document = (await (await fetch(`${product.origin}/openapi.json`)).json()) as {
      paths: Record<string, { post: Described; patch: Described }>;
      components: { schemas: Record<string, object> };
    };
    ({ schemas } = document.components);
    const operation = (method: 'post' | 'patch', path: string): ApiOperation => {
      const content = document.paths[path]?.[method].requestBody.content['application/json'];
      expect(content).toBeDefined();
      const body = { type: 'application/json', schema: content?.schema ?? {} };
      return { method: method.toUpperCase(), path, streams: false, parameters: [], body };
    };
    operations = [operation('post', '/services/{id}/inbound'), operation('post', '/services/{id}/receipts')];
  });
  afterAll(async () => {
    await channel.close();
    await product.close();
  });

  const countEntries = async () =>
    Number(
      (await product.admin.get(`/deliveries?service=${channel.service}&direction=in&limit=1`)).headers.get(
        'x-total',
      ),
    );

  test(
    'random valid and invalid posts of an adapter are accepted or refused with 4xx, and a refused post stores nothing',
    async () => {
      const statuses = new Map<number, number>();
      const source = {
        ...{ operations, schemas, ids: [channel.service, message] },
        idsOf: { services: [channel.service], messages: [message] },
      };
      const odd = fc.array(oddRequests(source), { minLength: TOGETHER, maxLength: TOGETHER });
      await fc.assert(
        fc.asyncProperty(odd, async (requests) => {
          const before = await countEntries();
          const answers = await Promise.all(
            requests.map(({ operation: { method }, path, body, headers }) =>
              product.admin.request(method, path, body, headers),
            ),
          );
          let accepted = 0;
          for (const [at, { status, body }] of answers.entries()) {
            expect(status, `${requests[at]?.path} ${JSON.stringify(body)}`).toBeLessThan(500);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (status === 202 && requests[at]?.path.includes('/inbound'))
              accepted += body.accepted as number;
          }
          const stored = (await countEntries()) - before;
          // Repeated ids are stored once.
          expect(stored).toBeLessThanOrEqual(accepted);
        }),
        { seed: SEED, numRuns: Math.ceil(REQUESTS / TOGETHER), endOnFailure: true },
      );
      console.log(JSON.stringify(Object.fromEntries(statuses)));
      for (const status of [202, 400]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
      expect((await product.admin.get(`/services/${channel.service}`)).body.status).toBe('active');
    },
    TIMEOUT_MS,
  );

  const params = () => channel.params;
  test.each([
    ['a number as url', () => ({ ...params(), url: 7 })],
    ['a url without a host', () => ({ ...params(), url: 'https://' })],
    ['a file url', () => ({ ...params(), url: 'file:///etc/passwd' })],
    ['a long url', () => ({ ...params(), url: `https://example.com/${'x'.repeat(10_000)}` })],
    ['a short secret', () => ({ ...params(), secret: 'whsec_YQ==' })],
    ['a secret of another form', () => ({ ...params(), secret: 'x' })],
    ['a list as secret', () => ({ ...params(), secret: [] })],
    ['a list as touchpoint', () => ({ ...params(), touchpoint: ['sms'] })],
    ['an inherited name as touchpoint', () => ({ ...params(), touchpoint: '__proto__' })],
    ['no params', () => null],
    ['a text as params', () => 'x'],
  ])('a channel with %s is refused and not stored, and a change to it is refused', async (_, build) => {
    const { admin } = product;
    const list = async () => (await admin.get('/services?limit=100')).body.length as number;
    const before = await list();
    const made = await admin.post('/services', { name: 'odd', type: 'api', params: build() });
    const changed = await admin.request('PATCH', `/services/${channel.service}`, { params: build() });
    for (const { status } of [made, changed]) expect([400, 422]).toContain(status);
    expect(await list()).toBe(before);
    expect((await admin.get(`/services/${channel.service}`)).body.params.url).toBe(channel.params.url);
  });

  test.each(['constructor', '__proto__', 'toString', 'twilio ', 'API', ''])(
    'a service of type %j is refused',
    async (type) => {
      const made = await product.admin.post('/services', { name: 'odd', type, params: params() });
      expect([400, 422]).toContain(made.status);
    },
  );

  test('entries with odd ids and senders are accepted or refused, and do not delay the next entry', async () => {
    const ids = ['\u0000', '$where', '__proto__', ' ', '𝟙', 'a'.repeat(190), '../..', "';--", '\ud800'];
    for (const id of ids) {
      const entry = { ...newEntry('+31654000002', 'odd', id), from: { id } };
      const { status } = await channel.receive([entry]);
      expect([202, 400, 422]).toContain(status);
    }
    await channel.begin('+31654000003');
  });
});
