import { describe, expect, test } from 'vitest';
import { assertOwnPage, assertMadeHere } from '../../api/first-start/offered.ts';
import type { OpenRequest } from '../../api/request.ts';
import type { UserDocument } from '../../store/accounts/users.ts';

const ROOT = 'root';
const AGENT = { role: 'agent', organization: 'first steps', createdBy: ROOT } as const;

describe('the sign-in button of the first start', () => {
  test.each([
    ['the same name', 'http://localhost:3000', 'localhost:3000', true],
    ['an address of loopback', 'http://127.0.0.1:3000', '127.0.0.1:3000', true],
    ['another website', 'https://example.com', 'localhost:3000', false],
    ['a tunnel', 'http://localhost:3000', 'abc.ngrok.app', false],
    ['a rebound name', 'http://localhost:3000', 'rebound.example.com:3000', false],
    ['another port', 'http://localhost:3000', 'localhost:3001', false],
    ['no Host', 'http://localhost:3000', '', false],
  ])(
    'the sign-in button of the first start accepts or rejects a request by Origin and Host: %s',
    (_, origin, host, isTaken) => {
      const press = () => assertOwnPage({ client: { origin, host } } as Pick<OpenRequest, 'client'>, 3000);
      if (isTaken) expect(press).not.toThrow();
      else expect(press).toThrow('Only the start page');
    },
  );

  test.each([
    ['as created', {}, true],
    ['created by a tenant', { createdBy: 'a tenant' }, false],
    ['made an admin', { role: 'admin' }, false],
    ['moved', { organization: 'another' }, false],
    ['with a password', { passwordHash: 'a hash' }, false],
  ])(
    'the sign-in button of the first start signs in only a user that is unchanged since its creation: %s',
    (_, change, isTaken) => {
      const user = { email: 'newcomer@parlance.local', ...AGENT, ...change } as UserDocument;
      const check = () => assertMadeHere(user, AGENT);
      if (isTaken) expect(check).not.toThrow();
      else expect(check).toThrow('not as the first start creates it');
    },
  );
});
