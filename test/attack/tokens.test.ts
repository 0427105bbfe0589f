import { SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../domain/scope.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import {
  PASSWORD,
  belongings,
  expectUnharmed,
  intrusions,
  newPerson,
  newVictims,
  takeovers,
} from './people.ts';
import type { Person, Request, Victims } from './people.ts';

const SECRET = new TextEncoder().encode('a secret that is long enough for tests of the product');

/**
 * Attackers with a credential of a user who try to act as that user (spec 3.3,
 * docs/decisions/credentials.md).
 */
describe('an attacker', () => {
  let product: Product;
  let victims: Victims;
  let admin: Person;

  beforeAll(async () => {
    product = await sharedApi('attack_tokens');
    victims = await newVictims(product);
    admin = victims.admin;
  });
  afterAll(() => product.close());

  test('an attacker with a lent key of a lower scope cannot exceed that scope', async () => {
    const before = await belongings(product, victims);
    for (const scope of SCOPES.slice(0, -1)) {
      const made = await product.admin.post(`/users/${admin.id}/apikeys`, { name: 'lent', scopes: [scope] });
      const lent = client(product.base, made.body.token);
      const requests: Request[] = [
        ...victims.persons
          .flatMap(takeovers)
          .filter(([, path, body]) => !(path.includes(admin.id) && body && 'meta' in body)),
        ['PATCH', '/users/me', { role: 'admin', password: 'another horse', currentPassword: PASSWORD }],
        ['PATCH', '/users/me', { organization: product.organization }],
        ['POST', '/users/me/otp', { currentPassword: PASSWORD }],
        ['PUT', '/users/me/otp', { otp: '123456' }],
        ['DELETE', '/users/me/otp', { otp: '123456' }],
        ['POST', '/users/me/apikeys', { name: 'higher', scopes: ['admin'] }],
        ['POST', '/auth/logout'],
        ['POST', '/users', { role: 'admin' }],
      ];
      for (const [method, path, body] of requests) {
        const { status } = await lent.request(method, path, body);
        expect(status, `${scope}: ${method} ${path} ${JSON.stringify(body)}`).toBe(403);
      }
      await product.admin.request('DELETE', `/users/${admin.id}/apikeys/${made.body.id}`);
    }
    await expectUnharmed(product, victims, before);
  });

  test('an attacker with a stolen session cannot change the password, the email or the one-time password without the current password', async () => {
    const before = await belongings(product, victims);
    const narrowed = await signed({ ...decodeJwt(admin.token), scope: 'guest' });
    for (const token of [admin.token, narrowed]) {
      const thief = client(product.base, token);
      const own = `/users/${admin.id}`;
      const statuses = [
        await thief.request('PATCH', '/users/me', { password: 'another horse' }),
        await thief.request('PATCH', own, { email: 'thief@attackers.example' }),
        await thief.request('PATCH', '/users/me', { password: 'another horse', currentPassword: 'guessed' }),
        await thief.post('/users/me/otp', {}),
        await thief.post('/users/me/otp', { currentPassword: 'guessed' }),
        await thief.request('DELETE', '/users/me/otp', { otp: '123456' }),
        await thief.request('DELETE', `${own}/otp`),
      ].map(({ status }) => status);
      expect(statuses).toEqual([400, 400, 401, 400, 401, 404, 403]);
    }
    const asGuest = client(product.base, narrowed);
    for (const [method, path, body] of takeovers(victims.persons[1]!)) {
      expect((await asGuest.request(method, path, body)).status, `${method} ${path}`).toBe(403);
    }
    await expectUnharmed(product, victims, before);
  });

  test('an attacker with an ended or invalid token is rejected everywhere', async () => {
    const gone = await newPerson(product, { role: 'admin', organization: victims.organization });
    const [revoked, out] = [
      await newPerson(product, { role: 'admin', organization: victims.organization }),
      await newPerson(product, { role: 'admin', organization: victims.organization }),
    ];
    await product.admin.request('DELETE', `/users/${revoked.id}/apikeys/${revoked.key.id}`);
    await out.session.post('/auth/logout');
    await product.admin.request('DELETE', `/users/${gone.id}`);
    const before = await belongings(product, victims);
    const claims = decodeJwt(admin.token);
    const body = Buffer.from(JSON.stringify({ ...claims, scope: 'guest agent bot admin' })).toString(
      'base64url',
    );
    const [head = '', , signature = ''] = admin.token.split('.');
    const dead: Record<string, string> = {
      'a revoked key': revoked.key.token,
      'a key without its beginning that is revoked': revoked.key.token.replace('plk_', ''),
      'a session that is logged out': out.token,
      'the session of somebody deleted': gone.token,
      'the key of somebody deleted': gone.key.token,
      'an expired session': await signed({ ...claims, exp: 1_000_000_000 }),
      'a refresh token': admin.refreshToken,
      'a refresh token that names itself a key': await signed({
        ...decodeJwt(admin.refreshToken),
        grant_type: 'api_key',
      }),
      'a session of a family that never was': await signed({ ...claims, jti: 'f'.repeat(24) }),
      "a key under another user's name": await signed({
        ...decodeJwt(victims.persons[0]!.key.token),
        _id: admin.id,
      }),
      'claims that were changed': `${head}.${body}x.${signature}`,
      'no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      'another secret': await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
      'no scope': await signed({ ...claims, scope: 'root superuser' }),
    };
    for (const [name, token] of Object.entries(dead)) {
      const attacker = client(product.base, token);
      const status = name === 'an expired session' ? 403 : 401;
      for (const [method, path, given] of [
        ...takeovers(admin),
        ...intrusions(victims),
        ['GET', '/users/me'] as Request,
      ]) {
        expect((await attacker.request(method, path, given)).status, `${name}: ${method} ${path}`).toBe(
          status,
        );
      }
    }
    await expectUnharmed(product, victims, before);
  });

  function signed(claims: object): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(SECRET);
  }
});
