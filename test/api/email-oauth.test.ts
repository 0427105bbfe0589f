import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import type { Product } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { TokenServer } from '../support/token-server.ts';

/** Section 15.10 of the specification. */
describe('mail by an SMTP server that takes access tokens', () => {
  let product: Product;
  let admin: ApiClient;
  let server: MailServer;
  let provider: TokenServer;
  let people = 0;

  beforeAll(async () => {
    product = await sharedApi('email_oauth');
    ({ admin } = product);
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    server = await new MailServer().start();
    provider = await new TokenServer(server.tokens).start();
    return async () => {
      await Promise.all([server.close(), provider.close()]);
    };
  });

  const clientParams = (more: object = {}) => {
    const { password: _, ...params } = server.params();
    return { ...params, tokenUrl: provider.url, ...provider.client, refreshToken: 'refresh 1', ...more };
  };
  const register = (params: object = clientParams()) =>
    admin.post('/services', { name: 'Mail', type: 'email', params });
  const registered = async (params?: object): Promise<string> => {
    const made = await register(params);
    expect(made.status).toBe(201);
    return (await untilActive(admin, made)).id as string;
  };
  const write = async (service: string) => {
    const email = `oauth${(people += 1)}@receiver.example`;
    const { body } = await admin.post('/conversations', {
      type: 'contact',
      contact: { profile: { email } },
      messages: [{ text: 'Hello', role: 'agent', service }],
    });
    return body.messages[0] as string;
  };
  const change = (service: string, params: object) =>
    admin.request('PATCH', `/services/${service}`, { params });
  const statusOf = async (service: string) => {
    const { body } = await admin.get(`/services/${service}`);
    return [body.status, body.statusReason ?? ''] as [string, string];
  };

  test('mails are sent with an access token that they share, and no response has a secret', async () => {
    const made = await register(clientParams({ scope: 'mail' }));
    const body = await untilActive(admin, made);
    expect([made.status, body.secrets]).toEqual([201, ['clientSecret', 'refreshToken']]);
    expect(body.params).toMatchObject({ clientId: 'parlance', tokenUrl: provider.url, scope: 'mail' });
    for (const shown of [made.body, body])
      expect(JSON.stringify(shown)).not.toMatch(/client secret|refresh 1|access 1/);
    const messages = [await write(body.id), await write(body.id), await write(body.id)];
    for (const message of messages) await untilDelivery(admin, message, 'sent');
    expect(provider.requests[0]).toEqual({
      ...{ grant_type: 'refresh_token', refresh_token: 'refresh 1', scope: 'mail' },
      ...{ client_id: 'parlance', client_secret: 'client secret' },
    });
    // For the check of the request, the verification, and the worker.
    expect(provider.requests.length).toBeLessThanOrEqual(3);
    expect(new Set(server.received.map(({ mail }) => mail.messageId)).size).toBe(3);
  });

  test('a client without a refresh token sends for itself', async () => {
    const { refreshToken: _, ...params } = clientParams();
    const message = await write(await registered(params));
    await untilDelivery(admin, message, 'sent');
    expect(new Set(provider.requests.map(({ grant_type: grant }) => grant))).toEqual(
      new Set(['client_credentials']),
    );
  });

  test('an access token that the mail server refuses is replaced, and the mail is sent', async () => {
    const service = await registered();
    await untilDelivery(admin, await write(service), 'sent');
    const before = provider.requests.length;
    server.tokens.clear();
    server.disconnect();
    await untilDelivery(admin, await write(service), 'sent');
    expect(provider.requests).toHaveLength(before + 1);
  });

  test('a refresh token that the provider replaces is stored', async () => {
    provider.isRotating = true;
    const service = await registered();
    for (let round = 0; round < 3; round += 1) {
      await untilDelivery(admin, await write(service), 'sent');
      server.tokens.clear();
      server.disconnect();
    }
    expect(await statusOf(service)).toEqual(['active', '']);
    const used = provider.requests.map(({ refresh_token: token }) => token);
    expect(new Set(used).size).toBe(used.length);
    expect(used.length).toBeGreaterThanOrEqual(5);
  });

  test.each([
    ['params.clientSecret', { clientSecret: 'wrong' }, 'invalid_client'],
    ['params.refreshToken', { refreshToken: 'wrong' }, 'invalid_grant: The token was revoked'],
    ['params.username', { username: 'nobody@example.com' }, 'did not accept the login'],
  ])('credentials that the provider refuses are 422 at %s', async (path, wrong, words) => {
    const { status, body } = await register(clientParams(wrong));
    expect([status, body.details]).toEqual([422, [{ path, message: expect.stringContaining(words) }]]);
  });

  test.each([
    ['params.password', { password: 'p' }],
    ['params.tokenUrl', { tokenUrl: 'http://login.example.com/token' }],
    ['params.clientSecret', { clientSecret: undefined }],
    ['params.clientId', { clientId: undefined }],
  ])('a login by OAuth 2 with a wrong %s is 400', async (path, wrong) => {
    const { status, body } = await register(clientParams(wrong));
    expect([status, body.details?.[0]?.path]).toEqual([400, path]);
  });

  test('a revoked refresh token fails the channel, and its mails are sent once there is a new token', async () => {
    const service = await registered();
    await untilDelivery(admin, await write(service), 'sent');
    provider.refreshToken = 'refresh 2';
    server.tokens.clear();
    server.disconnect();
    const message = await write(service);
    const [, reason] = await eventually(async () => {
      const found = await statusOf(service);
      return found[0] === 'failed' && found;
    });
    expect(reason).toContain('did not give an access token: invalid_grant: The token was revoked.');
    const params = clientParams({ refreshToken: 'refresh 2' });
    expect((await change(service, params)).status).toBe(200);
    await untilDelivery(admin, message, 'sent');
    const { clientSecret: _, refreshToken: __, ...others } = params;
    const kept = await change(service, { ...others, fromName: 'Support' });
    expect([kept.status, kept.body.secrets]).toEqual([200, ['clientSecret', 'refreshToken']]);
  });

  test('a mail waits while the provider gives no access tokens', async () => {
    const service = await registered();
    provider.outage = 503;
    server.tokens.clear();
    const message = await write(service);
    const log = () => admin.get(`/deliveries?service=${service}`);
    await eventually(async () => (await log()).body[0]?.attemptCount > 0);
    expect(await statusOf(service)).toEqual(['active', '']);
    const [{ id }] = (await log()).body;
    const { body } = await admin.get(`/deliveries/${id}`);
    expect(body.attempts[0].reason).toContain('No access token: HTTP status 503');
    provider.outage = undefined;
    await admin.post(`/deliveries/${id}/retry`, {});
    await untilDelivery(admin, message, 'sent');
    expect(JSON.stringify(body)).not.toMatch(/client secret|refresh 1/);
  });

  test('a password replaces a login by OAuth 2, and the secrets of the client are removed', async () => {
    const service = await registered();
    const refused = await change(service, { ...server.params(), password: undefined });
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([400, 'params.password']);
    const { status, body } = await change(service, server.params());
    expect([status, body.secrets]).toEqual([200, ['password']]);
    await untilDelivery(admin, await write(service), 'sent');
  });
});
