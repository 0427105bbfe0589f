import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi, startSecondApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { PASSWORD, newPerson } from './people.ts';
import type { Person } from './people.ts';

const STORM_MS = 6_000;
const STORMERS = 10;
const EVERY_MS = 100;

interface Sent {
  status: number;
  tookMs: number;
}

/** Who guesses, or only keeps the door busy. Addresses are those that a proxy in front names. */
describe('an attacker of logins', () => {
  let product: Product;
  let neighbour: Person;

  beforeAll(async () => {
    product = await startApi('attack_logins', { TRUSTED_PROXIES: '1' });
    const organization = (await product.admin.post('/organizations', { name: 'Neighbours' })).body.id;
    neighbour = await newPerson(product, { role: 'agent', organization });
  });
  afterAll(() => product.close());

  async function send(
    address: string,
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Sent> {
    const begun = performance.now();
    const headers = { ...init.headers, 'X-Forwarded-For': address, 'Content-Type': 'application/json' };
    const response = await fetch(`${product.base}${path}`, { ...init, headers });
    await response.arrayBuffer();
    return { status: response.status, tookMs: performance.now() - begun };
  }

  const login = (address: string, email: string, password: string) =>
    send(address, '/auth/token', { method: 'POST', body: JSON.stringify({ email, password }) });

  /** What a neighbour sees: of requests in a session, and of logins. */
  async function seen(until: () => boolean): Promise<{ requests: Sent[]; logins: Sent[] }> {
    const [requests, logins]: [Sent[], Sent[]] = [[], []];
    while (!until()) {
      const headers = { Authorization: `Bearer ${neighbour.token}` };
      requests.push(await send('10.1.0.1', '/users/me', { headers }));
      if (requests.length % 5 === 0) logins.push(await login('10.1.0.2', neighbour.email, PASSWORD));
      await wait(EVERY_MS);
    }
    return { requests, logins };
  }

  test('who storms the login from many addresses keeps nobody from working, or from logging in', async () => {
    const until = performance.now() + STORM_MS;
    const isOver = () => performance.now() > until;
    const storming = Array.from({ length: STORMERS }, async (_, stormer) => {
      const sent: Sent[] = [];
      for (let at = 0; !isOver(); at++) {
        const guesses = [0, 1, 2, 3].map((n) =>
          login(`10.9.0.${stormer}`, `x${stormer}.${at}.${n}@example.com`, 'guess'),
        );
        sent.push(...(await Promise.all(guesses)));
      }
      return sent;
    });
    const { requests, logins } = await seen(isOver);
    const stormed = (await Promise.all(storming)).flat();
    expect(requests.length).toBeGreaterThan(5);
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(logins.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { status } of stormed) expect([401, 429]).toContain(status);
    // By turns: a login waits for one of each stormer, not for the four that each of them has
    // waiting.
    expect(median(logins)).toBeLessThan(median(stormed));
  });

  test('who has more logins waiting than one address may is told to wait, and only they', async () => {
    const storm = Array.from({ length: 300 }, (_, n) => login('10.9.1.1', `many${n}@example.com`, 'guess'));
    const mine = await login('10.1.0.3', neighbour.email, PASSWORD);
    const statuses = (await Promise.all(storm)).map(({ status }) => status);
    expect(mine.status).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('who locks an email out throws nobody out, and locks no other', async () => {
    const { organization } = (await neighbour.session.get('/users/me')).body;
    const target = await newPerson(product, { role: 'agent', organization });
    for (let times = 0; times < 12; times++) await login('10.9.2.1', target.email, 'guess');
    expect((await login('10.1.0.4', target.email, PASSWORD)).status).toBe(429);
    expect((await target.session.get('/users/me')).status).toBe(200);
    expect((await client(product.base, target.key.token).get('/users/me')).status).toBe(200);
    expect((await login('10.1.0.4', neighbour.email, PASSWORD)).status).toBe(200);
  });

  test('who takes an email in every case, in two processes at once, gets it once', async () => {
    const other = await startSecondApi('attack_logins');
    try {
      const admins = [product.admin, client(other.base, product.token)];
      const cases = ['race@example.com', 'RACE@example.com', ' Race@Example.Com ', 'rAcE@eXaMpLe.CoM'];
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, at) =>
          admins[at % 2]!.post('/users', { role: 'agent', email: cases[at % cases.length] }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(15).fill(409)]);
    } finally {
      await other.close();
    }
  });

  test('who builds organizations into the deep is stopped at level 32', async () => {
    let parent = (await product.admin.post('/organizations', { name: 'deep' })).body.id;
    const digger = await newUser(product, { role: 'admin', organization: parent });
    for (let level = 2; level <= 32; level++) {
      const { status, body } = await digger.post('/organizations', { name: 'deep', parent });
      expect([status, body.level]).toEqual([201, level]);
      parent = body.id;
    }
    const below = await digger.post('/organizations', { name: 'deeper', parent });
    expect([below.status, below.body.details[0].path]).toEqual([422, 'parent']);
    const strange = await digger.post('/organizations', { name: 'x', parent: product.organization });
    expect(strange.status).toBe(403);
  });
});

function median(sent: readonly Sent[]): number {
  const times = sent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
