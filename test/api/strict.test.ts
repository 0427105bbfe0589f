import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prefersStrict } from '../../api/pipeline/strict.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

test.each([
  ['handling=strict', true],
  ['respond-async, Handling="strict"', true],
  ['handling = strict; foo', true],
  ['handling=lenient', false],
  ['handling=stricter', false],
  ['', false],
])('the header Prefer: %s makes a request strict: %s', (prefer, strict) => {
  expect(prefersStrict(prefer)).toBe(strict);
});

/** Spec 2.2. */
describe('a strict request', () => {
  let product: Product;
  let conversation: string;
  const strict = (method: string, path: string, body: unknown) =>
    product.admin.request(method, path, body, { Prefer: 'handling=strict' });

  beforeAll(async () => {
    product = await sharedApi('strict');
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });
  afterAll(() => product.close());

  test('a strict post with a misspelt field is refused and posts nothing', async () => {
    const before = (await product.admin.get(`/conversations/${conversation}`)).body.messages;
    const path = `/conversations/${conversation}/messages`;
    for (const [body, place, hint] of [
      [{ text: 'x', isBackchanel: false }, 'isBackchanel', 'did you mean isBackchannel?'],
      [[{ text: 'x' }, { text: 'x', later: '2026-11-30' }], '1.later', 'accepted are '],
      [{ type: 'command', text: '/asign' }, 'text', 'Did you mean /assign?'],
      [{ type: 'command', text: '/join', role: 'agent' }, 'role', ''],
    ] as const) {
      const { status, body: answer, headers } = await strict('POST', path, body);
      expect([status, answer.code, answer.details[0].path]).toEqual([400, 'invalid_request', place]);
      expect(answer.message).toContain(hint);
      expect(headers.get('preference-applied')).toBe('handling=strict');
    }
    expect((await product.admin.get(`/conversations/${conversation}`)).body.messages).toEqual(before);
  });

  test('a strict upsert with a misspelt field of the contact is refused and creates nothing', async () => {
    const contact = { profile: { email: 'strict@example.com' }, extrenalId: 'x' };
    const refused = await strict('POST', '/conversations', {
      type: 'contact',
      contact,
      messages: [{ text: 'x' }],
    });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: 'contact.extrenalId', message: 'is not accepted here; did you mean externalId?' }],
    ]);
    expect((await product.admin.get('/contacts?profile.email=strict@example.com')).body).toEqual([]);
  });

  test('a strict request without mistakes is executed, and its response has Preference-Applied', async () => {
    const { status, headers } = await strict('POST', '/users', { role: 'bot' });
    expect([status, headers.get('preference-applied')]).toEqual([201, 'handling=strict']);
    const lenient = await product.admin.post('/users', { role: 'bot', expires: 1 });
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([201, null]);
  });

  test('a mistyped field in the result of an expression is refused in a strict preview, and named in the outcome of the event', async () => {
    const part = '{ "conversation": c, "messages": [{ "text": "x", "isBackChannel": false }] }';
    const draft = { jsonata: part, body: { c: conversation } };
    const hint = 'result.messages.0.isBackChannel: is not accepted here; did you mean isBackchannel?';
    const refused = await strict('POST', '/eventtypes/preview', draft);
    expect([refused.status, refused.body.message]).toEqual([400, hint]);
    const lenient = await product.admin.post('/eventtypes/preview', draft);
    expect([lenient.status, lenient.body.hint, lenient.headers.get('x-hint')]).toEqual([200, hint, hint]);
    await product.admin.post('/eventtypes', { name: 'strict.typo', jsonata: part });
    const event = await product.admin.post('/events/strict.typo', { c: conversation });
    expect([event.status, event.body.hint, event.headers.get('x-hint')]).toEqual([200, hint, hint]);
    expect((await product.admin.get(`/events/${event.body.id}`)).body.hint).toBe(hint);
  });

  test('a preview of an upsert shows the externalId and meta that the contact would have', async () => {
    const contact = { externalId: 'acme-', meta: { tier: 'gold' }, profile: { name: 'Ada' } };
    const jsonata = `{ "contact": ${JSON.stringify(contact)}, "messages": [{ "text": "x" }] }`;
    const { body } = await strict('POST', '/eventtypes/preview', { jsonata, body: {} });
    expect(body.results[0].contact).toEqual(contact);
    expect(body).not.toHaveProperty('hint');
  });

  test('an expression with a mistyped function is refused when it is stored', async () => {
    const { status, body } = await product.admin.post('/eventtypes', {
      name: 'strict.function',
      jsonata: '{ "conversation": $uppper(c) }',
    });
    expect([status, body.message]).toEqual([
      422,
      'expression: There is no function $uppper. (in $uppper, line 1, column 19, character 26)',
    ]);
  });

  test('a strict PATCH of a record with its id is refused in both forms of PATCH', async () => {
    const { id } = (await product.admin.post('/contacts', {})).body;
    for (const type of ['application/json', 'application/merge-patch+json']) {
      const headers = { Prefer: 'handling=strict', 'Content-Type': type };
      expect(
        (await product.admin.request('PATCH', `/contacts/${id}`, { id, meta: {} }, headers)).status,
      ).toBe(400);
    }
  });
});
