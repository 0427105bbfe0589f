import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, ownApi } from '../support/shared-servers.ts';
import type { OwnApi } from '../support/shared-servers.ts';

const LINES = 'application/x-ndjson';

interface Result {
  status: number;
  headers: Record<string, string>;
  body?: any;
}

/** Spec 2.11. The API process has a rate limit that the requests of the file do not reach. */
describe('POST /batch', () => {
  let product: OwnApi;

  beforeAll(async () => {
    product = await ownApi('batch', { RATE_LIMIT_PER_ADDRESS: '100', RATE_LIMIT_PER_KEY: '100' });
  });
  afterAll(() => product.close());

  async function post(
    body: string,
    headers: Record<string, string> = {},
    token = product.token,
  ): Promise<Response> {
    return fetch(`${product.base}/batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': LINES, ...headers },
      body,
    });
  }

  async function run(
    lines: unknown[],
    headers: Record<string, string> = {},
    token?: string,
  ): Promise<Result[]> {
    const response = await post(lines.map((line) => JSON.stringify(line)).join('\n'), headers, token);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, LINES]);
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);
  }

  test('each line of a batch has its own result, in the order of the lines', async () => {
    const contact = (email: string) => ({ path: '/contacts', body: { profile: { email } } });
    const results = await run([
      contact('one@batch.example'),
      contact('one@batch.example'),
      { path: '/contacts', body: { profile: { email: 7 } } },
      { path: '/contacts', body: { profile: {}, nmae: 'x' } },
      { path: '/nowhere', body: {} },
      { method: 'PUT', path: '/contacts' },
      { path: '/conversations', body: { organization: '0123456789abcdef01234567' } },
      { paht: '/contacts' },
      contact('two@batch.example'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 409, 400, 201, 404, 405, 403, 400, 201]);
    expect(results[0]?.headers['Location']).toBe(`${product.base}/contacts/${results[0]?.body.id}`);
    expect(results[1]?.body.conflict).toEqual({ resource: 'contacts', id: results[0]?.body.id });
    expect(results[3]?.headers['X-Ignored-Fields']).toBe('nmae');
    expect(results[4]?.body.message).toContain('A batch has nothing at this path');
    expect((await product.admin.get(`/contacts/${results[8]?.body.id}`)).body.profile.email).toBe(
      'two@batch.example',
    );
  });

  test('a line of a batch that is not JSON, or too long, is refused alone', async () => {
    const long = `"${'x'.repeat(1024 * 1024)}"`;
    const contact = '{"path":"/contacts","body":{}}';
    const response = await post(`${contact}\n{"path":\n\n${long}\n${contact}\n`);
    const results = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);
    expect(results.map(({ status }) => status)).toEqual([201, 400, 400, 413, 201]);
    expect(results[1]?.body.code).toBe('invalid_json');
  });

  test('lines of a batch that name the same conversation or contact run in order', async () => {
    const telephone = '+31207654321';
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    const results = await run(
      texts.map((text) => ({
        path: '/conversations',
        body: { contact: { profile: { telephone } }, messages: [{ text }] },
      })),
    );
    const [first] = results;
    expect(results.map(({ status }) => status)).toEqual([201, ...texts.slice(1).map(() => 200)]);
    await run(texts.map((text) => ({ path: '/messages', body: { conversation: first?.body.id, text } })));
    const { body } = await product.admin.get(
      `/messages?conversation=${first?.body.id}&sort=sequence&limit=100`,
    );
    expect(body.map(({ text }: { text: string }) => text)).toEqual([...texts, ...texts]);
  });

  test('a line of a batch changes and deletes records, and obeys its If-Match', async () => {
    const { body: made } = await product.admin.post('/kbitems', { title: 'before' });
    const path = `/kbitems/${made.id}`;
    const results = await run([
      { method: 'PATCH', path, body: { title: 'wrong' }, ifMatch: '"old"' },
      { method: 'PATCH', path, body: { title: 'after' }, ifMatch: '*' },
      { method: 'DELETE', path },
      { method: 'DELETE', path },
    ]);
    expect(results.map(({ status }) => status)).toEqual([412, 200, 204, 404]);
    expect(results[1]?.body.title).toBe('after');
    expect(results[2]).not.toHaveProperty('body');
  });

  test('a repeated batch with the same Idempotency-Key creates nothing a second time', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => ({
      path: '/contacts',
      body: { externalId: `again-${at}` },
    }));
    const key = { 'Idempotency-Key': 'the import of monday'.replaceAll(' ', '-') };
    const first = await run(lines, key);
    const again = await run(lines, key);
    expect(first.map(({ status }) => status)).toEqual(lines.map(() => 201));
    expect(again.map(({ body }) => body.id)).toEqual(first.map(({ body }) => body.id));
    expect(again.every(({ headers }) => headers['Idempotent-Replayed'] === 'true')).toBe(true);
    const [changed] = await run([{ path: '/contacts', body: { externalId: 'other' } }], key);
    expect([changed?.status, changed?.body.message]).toEqual([
      422,
      expect.stringContaining('Idempotency-Key'),
    ]);
  });

  test('a line of a batch has the permissions of the caller', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const other = await product.admin.post('/organizations', { name: 'other' });
    const inside = await newUser(product, { role: 'admin', organization: other.body.id });
    const { body: contact } = await product.admin.post('/contacts', {});
    const refused = await run([{ path: '/channels', body: { name: 'c' } }], {}, bot.token);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([[403, 'forbidden']]);
    const hidden = await run(
      [{ method: 'PATCH', path: `/contacts/${contact.id}`, body: {} }],
      {},
      inside.token,
    );
    expect(hidden.map(({ status }) => status)).toEqual([404]);
    expect((await post('', {}, 'wrong')).status).toBe(401);
  });

  test('secrets, sessions, reads and business events are not possible in a batch', async () => {
    const results = await run([
      { path: '/auth/token', body: {} },
      { path: `/users/${'0'.repeat(24)}/apikeys`, body: {} },
      { path: '/events/order.placed', body: {} },
      { path: '/batch', body: {} },
      { path: '/contacts?x=1', body: {} },
    ]);
    expect(results.map(({ status }) => status)).toEqual([404, 404, 404, 404, 400]);
  });

  test('a batch is refused as a whole without lines, with too many lines or bytes, and with another type', async () => {
    const tooMany = await post('{}\n'.repeat(10_001));
    expect([tooMany.status, await tooMany.json()]).toMatchObject([
      413,
      { code: 'too_large', message: expect.stringContaining('10000 lines; this one has 10001') },
    ]);
    const tooLong = await post(`"${'x'.repeat(8 * 1024 * 1024)}"`);
    expect([tooLong.status, await tooLong.json()]).toMatchObject([
      413,
      { code: 'too_large', message: expect.stringContaining('8 MiB') },
    ]);
    expect((await post('{}', { 'Content-Type': 'application/json' })).status).toBe(415);
    expect((await post('')).status).toBe(400);
  });

  test('a batch of hundreds of lines counts as one request of the rate limit, and results arrive before its end', async () => {
    const lines = Array.from({ length: 600 }, (_, at) => ({
      path: '/contacts',
      body: { externalId: `many-${at}` },
    }));
    const response = await post(lines.map((line) => JSON.stringify(line)).join('\n'));
    let pieces = 0;
    let text = '';
    for await (const piece of response.body ?? []) {
      pieces += 1;
      text += Buffer.from(piece).toString();
    }
    const statuses = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Result).status);
    expect(statuses).toEqual(lines.map(() => 201));
    expect(pieces).toBeGreaterThan(1);
  });

  test('a third batch of a caller is refused while two are running', async () => {
    const bot = await newUser(product, { role: 'bot' });
    // Results of 16 MiB: a batch whose results are not read does not end.
    const meta = { text: 'x'.repeat(8_000) };
    const { id } = (await product.admin.post('/contacts', { meta })).body;
    const line = `{"method":"PATCH","path":"/contacts/${id}","body":{}}`;
    const body = Array.from({ length: 2_000 }, () => line).join('\n');
    const begun = [await post(body, {}, bot.token), await post(body, {}, bot.token)];
    const third = await post(body, {}, bot.token);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5']);
    for (const { body: unread } of begun) await unread?.cancel();
    await expect
      .poll(async () => (await post('{"path":"/contacts","body":{}}', {}, bot.token)).status)
      .toBe(200);
  });
});
