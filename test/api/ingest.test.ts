import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SIGNATURE_KINDS } from '../../domain/events/business-event.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newEventType, setExpression } from '../support/event-types.ts';
import type { Product } from '../support/product.ts';
import { SIGNED, newIngest, postAndWait, postTo } from '../support/senders.ts';

const FIVE_MINUTES = 300;
const EXPRESSION = '{"conversation": conversation, "messages": [{"text": text}]}';

/** Spec 8.9. */
describe('an ingest address', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;
  let count = 0;

  beforeAll(async () => {
    product = await sharedApi('ingest');
    bot = await newUser(product, { role: 'bot' });
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });

  afterAll(() => product.close());

  const send = (...post: Parameters<typeof postTo>) => postAndWait(product.admin, ...post);
  const newType = (organization?: string) =>
    newEventType(product, `ingested.type-${(count += 1)}`, EXPRESSION, organization);
  const bodyOf = (more: object = {}) =>
    JSON.stringify({ conversation, text: `post ${(count += 1)}`, ...more });

  test('an ingest address creates an event of its type as its bot, and responds 202 with its outcome', async () => {
    const type = await newType();
    const { url, ...address } = await newIngest(product, type, { user: bot.user });
    expect(url).toMatch(new RegExp(`^${product.origin}/in/[A-Za-z0-9_-]{43}$`));
    expect(address).toMatchObject({ eventtype: type, user: bot.user });
    const answer = await send(url, bodyOf({ text: 'by address' }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toMatchObject({ status: 'processed', conversations: [conversation] });
    const message = await bot.get(`/messages/${answer.body.messages[0]}`);
    expect(message.body).toMatchObject({ text: 'by address', user: bot.user });
  });

  test('a shop gets 202 for an order that our expression cannot use, and a retry runs the order', async () => {
    const type = await newEventType(product, 'till.order', '{"contact": {"profile": {"email": email}}}');
    await setExpression(
      product,
      type,
      `{"organization": "${product.organization}", "contact": {"profile": {"email": email}}, "messages": [{"text": "x"}]}`,
    );
    const { url } = await newIngest(product, type, { user: bot.user });
    const answer = await send(url, '{"email":""}');
    expect([answer.status, answer.body.status]).toEqual([202, 'failed']);
    expect(answer.body.error.message).toContain('needs an email or a telephone');
    expect(answer.headers.get('location')).toBe(`${product.base}/events/${answer.body.id}`);
    await setExpression(
      product,
      type,
      EXPRESSION.replace('conversation,', `"${conversation}",`).replace('text}', '"ok"}'),
    );
    const retried = await bot.post(`/events/${answer.body.id}/retry`, {});
    expect(retried.body.status).toBe('processed');
  });

  test('an ingest address accepts form-encoded posts and CloudEvents, and rejects other content types', async () => {
    const { url } = await newIngest(product, await newType(), { user: bot.user });
    const form = await postTo(url, `conversation=${conversation}&text=form`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(202);
    const event = {
      specversion: '1.0',
      id: '1',
      source: 's',
      type: 'x/y',
      data: { conversation, text: 'cloud' },
    };
    const structured = { 'Content-Type': 'application/cloudevents+json' };
    const first = await send(url, JSON.stringify(event), structured);
    const again = await send(url, JSON.stringify(event), structured);
    expect([first.status, again.body]).toEqual([202, first.body]);
    expect((await postTo(url, '{', {})).status).toBe(400);
    expect((await postTo(url, '<a/>', { 'Content-Type': 'text/xml' })).status).toBe(415);
    expect((await postTo(url, Buffer.alloc(1024 * 1024 + 1, 'x'))).status).toBe(413);
  });

  test.each(['GET', 'HEAD'])(
    'an ingest address responds to %s with 204, and with 404 if the address does not exist',
    async (method) => {
      const { url } = await newIngest(product, await newType(), { user: bot.user });
      expect((await fetch(url, { method })).status).toBe(204);
      expect((await fetch(url.replace(/.{43}$/, 'x'.repeat(43)), { method })).status).toBe(404);
    },
  );

  const ask = async (url: string, more: RequestInit = {}) => {
    const answer = await fetch(url, more);
    const [type, options] = [
      answer.headers.get('content-type'),
      answer.headers.get('x-content-type-options'),
    ];
    return { status: answer.status, text: await answer.text(), type, options };
  };
  const PLAIN = { type: 'text/plain; charset=utf-8', options: 'nosniff' };

  test.each<[string, string, { method?: string; body?: string }, string]>([
    ['Meta by GET', '?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1158201444', {}, '1158201444'],
    ['Dropbox by GET', '?challenge=aB3-_x', {}, 'aB3-_x'],
    [
      'Microsoft Graph by POST without a body',
      '?validationToken=Validation%3a+Testing+client+Request-Id%3a+6c3c-6b0a',
      { method: 'POST' },
      'Validation: Testing client Request-Id: 6c3c-6b0a',
    ],
    [
      'Slack by POST',
      '',
      {
        method: 'POST',
        body: '{"token":"t","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY","type":"url_verification"}',
      },
      '3eZbrw1aBm2rZgRNFdxV2595E9CY',
    ],
  ])(
    'an ingest address returns the challenge of %s as plain text and stores no event',
    async (_, query, request, challenge) => {
      const type = await newType();
      const { url } = await newIngest(product, type, { user: bot.user });
      expect(await ask(`${url}${query}`, request)).toEqual({ status: 200, text: challenge, ...PLAIN });
      const refused = await (request.body
        ? ask(url, { ...request, body: request.body.replace('3eZ', '<b>') })
        : ask(`${url}${query.replace(/[^=]*$/, '%3Cscript%3E')}`, request));
      expect([refused.status, refused.text.includes('<')]).toEqual([400, false]);
      const secret = 'a secret of sixteen bytes';
      const signed = await newIngest(product, type, { user: bot.user, secret, signature: 'github' });
      const unsigned = await ask(`${signed.url}${query}`, request);
      expect([unsigned.status, unsigned.text.includes(challenge)]).toEqual([
        request.method === 'POST' ? 401 : 204,
        false,
      ]);
      const gone = await ask(`${url}${query}`, request);
      expect([gone.status, gone.text.includes(challenge)]).toEqual([404, false]);
      expect((await product.admin.get(`/events?name=${type}`)).body).toEqual([]);
    },
  );

  test('an ingest address with a secret returns the challenge of a signed request of Slack', async () => {
    const secret = 'the signing secret of an app';
    const { url } = await newIngest(product, await newType(), { user: bot.user, secret, signature: 'slack' });
    const body = '{"token":"t","challenge":"3eZbrw1aBm2r","type":"url_verification"}';
    const signed = { method: 'POST', body, headers: SIGNED.slack(secret, body) };
    expect(await ask(url, signed)).toEqual({ status: 200, text: '3eZbrw1aBm2r', ...PLAIN });
    const stale = SIGNED.slack(secret, body, '', Math.floor(Date.now() / 1000) - FIVE_MINUTES - 30);
    expect((await ask(url, { ...signed, headers: stale })).status).toBe(401);
    const event = bodyOf({ event_id: 'Ev1', text: 'from Slack' });
    const first = await send(url, event, SIGNED.slack(secret, event));
    const attempt = event.replace('}', ',"retry":1}');
    const again = await send(url, attempt, SIGNED.slack(secret, attempt));
    expect([first.status, again.body]).toEqual([202, first.body]);
  });

  test('an ingest address with a secret returns the challenge of Meta with the verify token, and 403 with another', async () => {
    const address = { user: bot.user, secret: 'the secret of an app', signature: 'github' };
    const { url } = await newIngest(product, await newType(), { ...address, verifyToken: 'meaty' });
    const query = (token: string) =>
      `${url}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`;
    expect(await ask(query('meaty'))).toEqual({ status: 200, text: '1158201444', ...PLAIN });
    for (const token of ['', 'meat', 'meaty&hub.verify_token=meaty']) {
      const refused = await ask(query(token));
      expect([refused.status, refused.text.includes('1158201444')], token).toEqual([403, false]);
    }
    expect((await ask(url)).status).toBe(204);
  });

  test('an ingest address with a declared signature accepts posts of WooCommerce, and the ping that it sends first', async () => {
    const signature = {
      header: 'X-WC-Webhook-Signature',
      encoding: 'base64',
      idHeader: 'X-WC-Webhook-Delivery-ID',
    };
    const type = await newType();
    const { url, ...address } = await newIngest(product, type, {
      user: bot.user,
      secret: 'a secret',
      signature,
    });
    expect(address).toMatchObject({ signature });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await postTo(url, 'webhook_id=17', form)).status).toBe(204);
    const body = bodyOf({ text: 'from a shop' });
    const mac = createHmac('sha256', 'a secret').update(body).digest('base64');
    const signed = { 'X-WC-Webhook-Signature': mac, 'X-WC-Webhook-Delivery-ID': 'd-1' };
    const first = await send(url, body, signed);
    expect([first.status, first.body.status]).toEqual([202, 'processed']);
    expect((await send(url, body, signed)).body).toEqual(first.body);
    expect((await postTo(url, body, { ...signed, 'X-WC-Webhook-Signature': 'AAAA' })).status).toBe(401);
  });

  test('an ingest address allows the origin that a CloudEvents sender names in its OPTIONS request', async () => {
    const { url } = await newIngest(product, await newType(), { user: bot.user });
    const options = async (origin: string) => {
      const answer = await fetch(url, { method: 'OPTIONS', headers: { 'WebHook-Request-Origin': origin } });
      return [answer.status, answer.headers.get('webhook-allowed-origin')];
    };
    expect(await options('eventgrid.azure.net')).toEqual([200, 'eventgrid.azure.net']);
    expect(await options('<b>')).toEqual([400, null]);
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
  });

  test('an ingest address shows its token only on creation, and never its secret', async () => {
    const type = await newType();
    const made = await product.admin.post(`/eventtypes/${type}/ingest`, {
      user: bot.user,
      secret: 'kept to ourselves',
      signature: 'github',
    });
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { url, ...rest } = made.body;
    const shown = await product.admin.get(`/eventtypes/${type}/ingest`);
    expect(shown.body).toEqual(rest);
    const everything = JSON.stringify([
      shown.body,
      (await product.admin.get(`/eventtypes/${type}`)).body,
      (await product.admin.get('/eventtypes')).body,
      rest,
    ]);
    expect(everything).not.toContain('kept to ourselves');
    expect(everything).not.toContain(url.split('/').at(-1));
  });

  test.each(SIGNATURE_KINDS)(
    'an ingest address with a secret accepts only posts with a valid %s signature',
    async (kind) => {
      const secret = kind === 'standard-webhooks' ? 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz' : 'a secret';
      const signature = kind === 'standard-webhooks' ? {} : { signature: kind };
      const { url } = await newIngest(product, await newType(), { user: bot.user, secret, ...signature });
      const id = `evt-${(count += 1)}`;
      const body = bodyOf({ id, text: 'signed: é' });
      const signed = SIGNED[kind](secret, body, id);
      const first = await send(url, body, signed);
      expect(first.status, JSON.stringify(first.body)).toBe(202);
      // The id that the sender gave the event is the idempotency key.
      expect((await send(url, body, signed)).body).toEqual(first.body);
      const refusals = [
        await postTo(url, body),
        await postTo(url, `${body} `, signed),
        await postTo(url, body, SIGNED[kind]('another', body, id)),
      ];
      if (kind === 'standard-webhooks' || kind === 'stripe' || kind === 'slack') {
        const now = Math.floor(Date.now() / 1000);
        for (const at of [now - FIVE_MINUTES - 30, now + FIVE_MINUTES + 30])
          refusals.push(await postTo(url, body, SIGNED[kind](secret, body, id, at)));
      }
      for (const refused of refusals)
        expect([refused.status, refused.body.code]).toEqual([401, 'unauthenticated']);
    },
  );

  test('an ingest address uses the event id of Stripe as the idempotency key, although other fields change', async () => {
    const address = { user: bot.user, secret: 'a secret', signature: 'stripe' };
    const { url } = await newIngest(product, await newType(), address);
    const pay = (pending_webhooks: number) => {
      const body = JSON.stringify({ id: 'evt_9', conversation, text: 'paid', pending_webhooks });
      return send(url, body, SIGNED.stripe('s', body));
    };
    const first = await pay(2);
    expect((await pay(1)).body).toEqual(first.body);
  });

  test('an ingest address returns the first result for retries that count attempts in the body', async () => {
    const { url } = await newIngest(product, await newType(), { user: bot.user });
    const attempted = (attempt: number, header: string) =>
      send(url, JSON.stringify({ attempt, conversation, text: 'tried' }), { [header]: 'attempts' });
    for (const header of ['webhook-id', 'X-GitHub-Delivery', 'X-Shopify-Webhook-Id']) {
      const [first, second] = [await attempted(1, header), await attempted(2, header)];
      expect([second.status, second.body]).toEqual([202, first.body]);
    }
    // A response with the status `received` is not kept. The second response has the outcome.
    for (const attempt of [1, 1]) await attempted(attempt, 'Idempotency-Key');
    const { status, body } = await attempted(2, 'Idempotency-Key');
    expect([status, body.message]).toEqual([422, 'Idempotency-Key: was used for another request']);
  });

  test('an ingest address keeps one event for all retries of a failed event', async () => {
    const type = await newEventType(product, 'mended.by.admin', 'nothing.here');
    await product.admin.request('PUT', `/eventtypes/${type}/jsonata`, '$error("not yet")', {
      'Content-Type': 'text/plain',
    });
    const { url } = await newIngest(product, type, { user: bot.user });
    const body = bodyOf({ text: 'at last' });
    const repeat = () => send(url, body, { 'webhook-id': 'again-and-again' });
    const failures = [await repeat(), await repeat()];
    expect(failures.map(({ status, body }) => [status, body.status])).toEqual([
      [202, 'failed'],
      [202, 'failed'],
    ]);
    expect(new Set(failures.map(({ headers }) => headers.get('location'))).size).toBe(1);
    await product.admin.request('PUT', `/eventtypes/${type}/jsonata`, EXPRESSION, {
      'Content-Type': 'text/plain',
    });
    const done = await repeat();
    expect(done.body.status).toBe('processed');
    expect((await repeat()).body).toEqual(done.body);
    expect((await bot.get('/events?name=mended.by.admin')).body).toHaveLength(1);
  });

  test('an ingest address that is replaced rejects its old token and old secret at once, in every process', async () => {
    const second = await secondSharedApi();
    const type = await newType();
    const shopify = { user: bot.user, signature: 'shopify' };
    const old = await newIngest(product, type, { ...shopify, secret: 'old secret' });
    const fresh = await newIngest(product, type, { ...shopify, secret: 'new secret' });
    const body = bodyOf();
    for (const origin of [product.origin, new URL(second.base).origin]) {
      const at = (url: string) => url.replace(product.origin, origin);
      expect((await postTo(at(old.url), body, SIGNED.shopify('old secret', body, 'a'))).status).toBe(404);
      expect((await postTo(at(fresh.url), body, SIGNED.shopify('old secret', body, 'b'))).status).toBe(401);
      expect((await postTo(at(fresh.url), body, SIGNED.shopify('new secret', body, 'c'))).status).toBe(202);
    }
    expect((await product.admin.request('DELETE', `/eventtypes/${type}/ingest`)).status).toBe(204);
    for (const origin of [new URL(second.base).origin, product.origin])
      expect((await postTo(fresh.url.replace(product.origin, origin), body)).status).toBe(404);
    expect((await product.admin.get(`/eventtypes/${type}/ingest`)).status).toBe(404);
    expect((await product.admin.request('DELETE', `/eventtypes/${type}/ingest`)).status).toBe(404);
  });

  test('an ingest address is deleted with its event type, its bot or its organization', async () => {
    const organization = (await product.admin.post('/organizations', { name: 'ending' })).body.id as string;
    const inner = await newUser(product, { role: 'bot', organization });
    const [byType, byBot, byOrganization] = [await newType(), await newType(), await newType(organization)];
    const addresses = await Promise.all([
      newIngest(product, byType, { user: bot.user }),
      newIngest(product, byBot, { user: inner.user }),
      newIngest(product, byOrganization, { user: inner.user }),
    ]);
    const statuses = () =>
      Promise.all(addresses.map(async ({ url }) => (await postTo(url, bodyOf())).status));
    await product.admin.request('DELETE', `/eventtypes/${byType}`);
    expect((await statuses())[0]).toBe(404);
    await product.admin.request('DELETE', `/users/${inner.user}`);
    expect((await statuses()).slice(1)).toEqual([404, 404]);
    expect((await product.admin.get(`/eventtypes/${byBot}/ingest`)).status).toBe(404);
    expect((await product.admin.request('DELETE', `/organizations/${organization}`)).status).toBe(204);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  test('an ingest address rejects posts once its user is no longer a bot', async () => {
    const former = await newUser(product, { role: 'bot' });
    const { url } = await newIngest(product, await newType(), { user: former.user });
    expect((await postTo(url, bodyOf())).status).toBe(202);
    for (const role of ['viewer', 'admin']) {
      await product.admin.request('PATCH', `/users/${former.user}`, { role });
      const refused = await postTo(url, bodyOf());
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    }
  });

  test('the creation of an ingest address requires an admin, a bot in or below the organization of the event type, and a valid secret and signature', async () => {
    const parent = (await product.admin.post('/organizations', { name: 'above' })).body.id as string;
    const child = (await product.admin.post('/organizations', { name: 'below', parent })).body.id as string;
    const below = await newUser(product, { role: 'bot', organization: child });
    const agent = await newUser(product, { role: 'agent' });
    const type = await newType(parent);
    const ask = async (body: object, caller: Pick<KeyHolder, 'post'> = product.admin) => {
      const { status, body: said } = await caller.post(`/eventtypes/${type}/ingest`, body);
      return [status, said.details?.[0]?.path];
    };
    expect(await ask({ user: below.user })).toEqual([201, undefined]);
    expect(await ask({ user: bot.user })).toEqual([422, 'user']);
    expect(await ask({ user: agent.user })).toEqual([422, 'user']);
    expect(await ask({ user: 'ffffffffffffffffffffffff' })).toEqual([422, 'user']);
    expect(await ask({ user: below.user, signature: 'github' })).toEqual([422, 'secret']);
    for (const signature of [
      'gitlab',
      { header: 'a b' },
      { header: 'sig', algorithm: 'md5' },
      { header: 'sig', prefix: 'a,b' },
    ])
      expect(await ask({ user: below.user, secret: 'a secret', signature })).toEqual([400, 'signature']);
    const content = { header: 'sig', content: 'no body' };
    const refused = await ask({ user: below.user, secret: 'a secret', signature: content });
    expect(refused).toEqual([422, 'signature.content']);
    for (const secret of ['', '\n', 'whsec_', 'whsec_!!!!', 'whsec_AA', 'fifteen bytes..'])
      expect(await ask({ user: below.user, secret }), secret).toEqual([400, 'secret']);
    expect(await ask({ user: below.user, secret: ' \u200b', signature: 'github' })).toEqual([400, 'secret']);
    expect(await ask({ secret: 'a secret' })).toEqual([400, 'user']);
    expect((await ask({ user: below.user }, bot))[0]).toBe(403);
    const stranger = await newUser(product, { role: 'admin', organization: child });
    expect((await ask({ user: below.user }, stranger))[0]).toBe(404);
    const absent = '/eventtypes/ffffffffffffffffffffffff/ingest';
    expect((await product.admin.post(absent, { user: below.user })).status).toBe(404);
  });

  test('an ingest address that does not exist is 404, also for odd tokens', async () => {
    for (const token of ['a', 'A'.repeat(43), 'x'.repeat(2_000), '%00', '..%2f..', '__proto__'])
      expect((await postTo(`${product.origin}/in/${token}`, '{}')).status, token).toBe(404);
  });
});
