import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import type { Product } from '../support/product.ts';
import { untilActive, untilVerified } from '../support/services.ts';
import { sharedApi } from '../support/shared-servers.ts';

/** Section 15.7 of the specification. */
describe('a channel of type twilio', () => {
  let product: Product;
  let admin: ApiClient;
  let twilio: FakeTwilio;

  beforeAll(async () => {
    product = await sharedApi('twilio_setup');
    ({ admin } = product);
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    twilio = await new FakeTwilio('+31201110001').start();
  });
  afterEach(async () => {
    expect(twilio.violations).toEqual([]);
    await twilio.close();
  });

  const register = (params: object = {}, more: object = {}) =>
    admin.post('/services', { name: 'Support', type: 'twilio', params: twilio.params(params), ...more });
  const registered = async (params: object = {}) => untilActive(admin, await register(params));
  const patch = (id: string, params: object) => admin.request('PATCH', `/services/${id}`, { params });

  test('three fields set it up: Parlance sets the webhook of the number, and shows the names of Twilio but no token', async () => {
    const made = await register();
    expect(made.status).toBe(201);
    const body = await untilActive(admin, made);
    const { accountSid, number, url } = twilio;
    expect(body).toMatchObject({
      touchpoint: 'sms',
      verifiedAs: 'Example Ltd, Support',
      secrets: ['authToken'],
      inboundUrl: `${product.origin}/channels/${body.id}/inbound`,
    });
    expect(body.params).toEqual({ accountSid, number, url });
    expect(twilio.numberFields).toMatchObject({
      sms_url: `${body.inboundUrl}#rc=5&rp=all`,
      sms_method: 'POST',
    });
    const shown = await admin.get(`/services/${body.id}`);
    const listed = await admin.get('/services');
    for (const one of [made.body, body, shown.body, listed.body])
      expect(JSON.stringify(one)).not.toContain(twilio.authToken);
  });

  test.each([
    [400, 'params.accountSid', { accountSid: null }],
    [400, 'params.accountSid', { accountSid: 'AC1' }],
    [400, 'params.authToken', { authToken: null }],
    [400, 'params.authToken', { authToken: 'short' }],
    [422, 'params.authToken', { authToken: 'f'.repeat(32) }],
    [422, 'params.authToken', { accountSid: `AC${'0'.repeat(32)}` }],
    [400, 'params.number', { number: null }],
    [400, 'params.number', { number: 'my number' }],
    [422, 'params.number', { number: '+31209999999' }],
    [400, 'params.messagingServiceSid', { number: null, messagingServiceSid: 'MG1' }],
    [422, 'params.messagingServiceSid', { number: null, messagingServiceSid: `MG${'0'.repeat(32)}` }],
    [422, 'params.messagingServiceSid', { messagingServiceSid: `MG${'0'.repeat(32)}` }],
    [422, 'params.touchpoint', { touchpoint: 'sms' }],
    [422, 'params.secret', { secret: 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz' }],
    [422, 'params.events', { events: ['message'] }],
    [400, 'params.url', { url: 'not an address' }],
  ])('a wrong credential is refused with %i at %s', async (expected, path, params) => {
    const { status, body } = await register(params);
    expect([status, body.details]).toMatchObject([expected, [{ path }]]);
    expect(twilio.numberFields['sms_url']).toBe('https://before.example.com/sms?key=1');
  });

  test('an account that Twilio has suspended is refused', async () => {
    twilio.state = 'suspended';
    const { status, body } = await register();
    expect([status, body.details]).toMatchObject([422, [{ path: 'params.accountSid' }]]);
  });

  test('params of Twilio are refused in a webhook and in a channel of type api', async () => {
    const { accountSid, url } = twilio;
    for (const type of ['webhook', 'api']) {
      const { status, body } = await admin.post('/services', {
        name: 'other',
        type,
        params: { url, accountSid },
      });
      expect([status, body.details]).toMatchObject([422, [{ path: 'params.accountSid' }]]);
    }
  });

  test('while Twilio is down the channel is failed with the reason, and a verification mends it', async () => {
    twilio.outage = { status: 503, message: 'Down for maintenance.' };
    const made = await register();
    expect(made.status).toBe(201);
    expect(await untilVerified(admin, made)).toMatchObject({
      ...{ status: 'failed', statusReason: expect.stringContaining('Down for maintenance.') },
    });
    twilio.outage = undefined;
    const verified = await admin.post(`/services/${made.body.id}/verify`);
    expect(await untilActive(admin, verified)).toMatchObject({ verifiedAs: 'Example Ltd, Support' });
  });

  test('a deleted channel gives the number its former webhook back', async () => {
    const body = await registered();
    // A second verification must not take our webhook for the former one.
    await untilActive(admin, await admin.post(`/services/${body.id}/verify`));
    expect((await admin.request('DELETE', `/services/${body.id}`)).status).toBe(204);
    expect(twilio.numberFields).toMatchObject({
      sms_url: 'https://before.example.com/sms?key=1',
      sms_method: 'GET',
    });
  });

  test('a deleted channel leaves a webhook alone that was changed at Twilio', async () => {
    const body = await registered();
    twilio.numberFields['sms_url'] = 'https://other.example.com/sms';
    await admin.request('DELETE', `/services/${body.id}`);
    expect(twilio.numberFields['sms_url']).toBe('https://other.example.com/sms');
  });

  test('a channel is deleted while Twilio is down', async () => {
    const body = await registered();
    twilio.outage = { close: true };
    expect((await admin.request('DELETE', `/services/${body.id}`)).status).toBe(204);
  });

  test('a messaging service takes the place of the number', async () => {
    const { messagingServiceSid } = twilio;
    const body = await registered({ number: null, messagingServiceSid });
    expect(body).toMatchObject({ verifiedAs: 'Example Ltd, Support pool' });
    expect(twilio.serviceFields).toMatchObject({
      inbound_request_url: `${body.inboundUrl}#rc=5&rp=all`,
      use_inbound_webhook_on_number: false,
    });
    await admin.request('DELETE', `/services/${body.id}`);
    expect(twilio.serviceFields).toMatchObject({
      inbound_request_url: '',
      use_inbound_webhook_on_number: true,
    });
  });

  test('a change without the token keeps it, and a wrong token is refused', async () => {
    const { id } = await registered();
    const { accountSid, number, url } = twilio;
    const kept = await patch(id, { accountSid, number, url });
    expect(kept.status).toBe(200);
    await untilActive(admin, kept);
    const wrong = await patch(id, twilio.params({ authToken: 'f'.repeat(32) }));
    expect([wrong.status, wrong.body.details]).toMatchObject([422, [{ path: 'params.authToken' }]]);
    expect((await admin.get(`/services/${id}`)).body.status).toBe('active');
  });

  test('a channel that moves to a messaging service gives the number back', async () => {
    const { id } = await registered();
    const { messagingServiceSid } = twilio;
    const moved = await patch(id, twilio.params({ number: null, messagingServiceSid }));
    expect(await untilActive(admin, moved)).toMatchObject({ verifiedAs: 'Example Ltd, Support pool' });
    expect(twilio.numberFields['sms_url']).toBe('https://before.example.com/sms?key=1');
  });

  test('a channel has no bot, takes no posts of adapters, and is sent no sample', async () => {
    const { id } = await registered();
    const entries = [{ id: '1', from: { id: '+31612345678' }, messages: [{ text: 'no' }] }];
    expect((await admin.post(`/services/${id}/inbound`, { entries })).status).toBe(422);
    expect((await admin.post(`/services/${id}/test`)).status).toBe(422);
    const user = (await admin.post('/users', { role: 'bot' })).body.id as string;
    const bot = await register({}, { user });
    expect([bot.status, bot.body.details]).toMatchObject([422, [{ path: 'user' }]]);
  });
});
