import { describe, expect, test } from 'vitest';
import { buildTokenForm, readTokenResponse } from '../../../../domain/channels/email/access-token.ts';

const CLIENT = { clientId: 'c', clientSecret: 's' };

/** RFC 6749, sections 4.4.2, 5 and 6. */
describe('access tokens for mail', () => {
  test('a refresh token is exchanged for an access token, and a client without it gets its own', () => {
    expect(Object.fromEntries(buildTokenForm({ ...CLIENT, refreshToken: 'r' }))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r',
      client_id: 'c',
      client_secret: 's',
    });
    expect(Object.fromEntries(buildTokenForm({ ...CLIENT, scope: 'mail' }))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'c',
      client_secret: 's',
      scope: 'mail',
    });
  });

  test.each([
    [
      { access_token: 'a', expires_in: 3599 },
      { accessToken: 'a', lifetimeMs: 3_599_000 },
    ],
    [
      { access_token: 'a', expires_in: '60' },
      { accessToken: 'a', lifetimeMs: 60_000 },
    ],
    [{ access_token: 'a' }, { accessToken: 'a', lifetimeMs: 300_000 }],
    [
      { access_token: 'a', expires_in: -1 },
      { accessToken: 'a', lifetimeMs: 300_000 },
    ],
    [
      { access_token: 'a', expires_in: 1e12 },
      { accessToken: 'a', lifetimeMs: 86_400_000 },
    ],
    [
      { access_token: 'a', refresh_token: 'next' },
      { accessToken: 'a', lifetimeMs: 300_000, refreshToken: 'next' },
    ],
  ])('the token of %j is read', (body, expected) => {
    expect(readTokenResponse(200, body)).toEqual(expected);
  });

  test.each([
    [400, { error: 'invalid_grant', error_description: 'Token has been\r\nrevoked.' }, true],
    [401, { error: 'invalid_client' }, true],
    [400, { error: 'temporarily_unavailable' }, false],
    [400, 'Bad request', false],
    [429, { error: 'slow_down' }, false],
    [503, null, false],
    [200, {}, false],
    [200, { access_token: 'a\x01b' }, false],
    [200, { access_token: 'a'.repeat(20_000) }, false],
    [200, 'text', false],
  ])('the response %i %j gives no token, and the credentials are refused: %s', (status, body, isRefused) => {
    expect(readTokenResponse(status, body)).toMatchObject({ isRefused });
  });

  test('the reason of a refusal is one line', () => {
    const body = { error: 'invalid_grant', error_description: 'Token has been\r\nrevoked.' };
    expect(readTokenResponse(400, body)).toMatchObject({ text: 'invalid_grant: Token has been revoked.' });
    expect(readTokenResponse(502, undefined)).toMatchObject({ text: 'HTTP status 502' });
  });
});
