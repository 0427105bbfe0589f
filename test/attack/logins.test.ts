import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { PASSWORD, newPerson } from './people.ts';
import type { Person } from './people.ts';

const STORMERS = 10;
/** The concurrent logins of each attacker. */
const GUESSES = 8;
const LOGINS = 5;
const REQUESTS_BESIDE_LOGIN = 3;

interface Sending {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Attackers who guess passwords or overload the login. The test sets the address of each client in
 * X-Forwarded-For, as a proxy does.
 */
describe('an attacker of logins', () => {
  let product: Product;
  let neighbour: Person;

  beforeAll(async () => {
    product = await startApi('attack_logins', { TRUSTED_PROXIES: '1' });
    const organization = (await product.admin.post('/organizations', { name: 'Neighbours' })).body.id;
    neighbour = await newPerson(product, { role: 'agent', organization });
  });
  afterAll(() => product.close());

  async function send(address: string, path: string, init: Sending): Promise<number> {
    const headers = { ...init.headers, 'X-Forwarded-For': address, 'Content-Type': 'application/json' };
    const response = await fetch(`${product.base}${path}`, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  }

  const login = (address: string, email: string, password: string, more: Sending = {}) =>
    send(address, '/auth/token', { method: 'POST', body: JSON.stringify({ email, password }), ...more });

  test('an attacker who logs in from many addresses blocks neither the work nor the login of others', async () => {
    const end = new AbortController();
    const stormed: number[] = [];
    const storming = Array.from({ length: STORMERS * GUESSES }, async (_, n) => {
      const address = `10.9.0.${n % STORMERS}`;
      for (let at = 0; ; at += 1)
        stormed.push(await login(address, `x${n}.${at}@example.com`, 'guess', { signal: end.signal }));
    });
    /** Returns how many logins of the attackers end during a request of the neighbour. */
    const countDuring = async (ask: () => Promise<number>) => {
      const before = stormed.length;
      expect(await ask()).toBe(200);
      return stormed.length - before;
    };
    const headers = { Authorization: `Bearer ${neighbour.token}` };
    const [duringLogins, duringRequests]: [number[], number[]] = [[], []];
    for (let at = 0; at < LOGINS; at += 1) {
      duringLogins.push(await countDuring(() => login('10.1.0.2', neighbour.email, PASSWORD)));
      for (let n = 0; n < REQUESTS_BESIDE_LOGIN; n += 1)
        duringRequests.push(await countDuring(() => send('10.1.0.1', '/users/me', { headers })));
    }
    end.abort();
    await Promise.allSettled(storming);
    for (const status of stormed) expect([401, 429]).toContain(status);
    console.log({ duringLogins, duringRequests, stormed: stormed.length });
    // Logins take turns per address: the neighbour waits for about one login of each attacker.
    expect(median(duringLogins)).toBeLessThan((STORMERS * GUESSES) / 2);
    expect(median(duringRequests)).toBeLessThan(STORMERS / 2);
  });

  test('an attacker with too many concurrent logins from one address gets 429, and others do not', async () => {
    const end = new AbortController();
    const statuses: number[] = [];
    const storm = Array.from({ length: 300 }, async (_, n) => {
      statuses.push(await login('10.9.1.1', `many${n}@example.com`, 'guess', { signal: end.signal }));
    });
    expect(await login('10.1.0.3', neighbour.email, PASSWORD)).toBe(200);
    await eventually(
      () => statuses.includes(401) && statuses.filter((status) => status === 429).length > 50,
      { withinMs: 90_000 },
    );
    end.abort();
    await Promise.allSettled(storm);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('an attacker who locks the login of one email ends no session of its user and locks no other email', async () => {
    const { organization } = (await neighbour.session.get('/users/me')).body;
    const target = await newPerson(product, { role: 'agent', organization });
    for (let times = 0; times < 12; times++) await login('10.9.2.1', target.email, 'guess');
    expect(await login('10.1.0.4', target.email, PASSWORD)).toBe(429);
    expect((await target.session.get('/users/me')).status).toBe(200);
    expect((await client(product.base, target.key.token).get('/users/me')).status).toBe(200);
    expect(await login('10.1.0.4', neighbour.email, PASSWORD)).toBe(200);
  });
});

function median(counts: readonly number[]): number {
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
}
