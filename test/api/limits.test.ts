import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRequestCounter } from '../../api/limits/request-counter.ts';
import { startApi, startSecondApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';

const LIMIT = 10;
const SHARED_LIMIT = 4;
const environment = { RATE_LIMIT_PER_SECOND: String(LIMIT), TRUSTED_PROXIES: '1' };

/** Asks as from an address, through the proxy that the configuration trusts. */
function from(base: string, address: string, token?: string) {
  return client(base, token).request('GET', '/users/me', undefined, { 'X-Forwarded-For': address });
}

/**
 * The answers to twelve requests that come at once. A busy machine may take more than the second
 * that is counted: then it is tried again, by callers that were never seen before (`turn`).
 */
async function twelve<T>(ask: (n: number, turn: number) => Promise<T>): Promise<T[]> {
  for (let turn = 0; ; turn++) {
    const startedAt = Date.now();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n, turn)));
    if (Date.now() - startedAt < 1_000 || turn === 19) return answers;
  }
}

const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).sort((a, b) => a - b);

const TEN_OF_TWELVE = [...Array<number>(10).fill(401), 429, 429];

/** Spec 2.10. */
describe('the rate limit', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startApi('limits', environment);
  });
  afterAll(() => product.close());

  test('counts by address, and refuses what is above it', async () => {
    const answers = await twelve((_, turn) => from(product.base, `203.0.113.${turn}`));
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
    expect((await from(product.base, '203.0.113.200')).status).toBe(401);
  });

  test.each([
    ['all addresses of an IPv6 network as one', (n: number, turn: number) => `2001:db8:${turn}:7::${n + 1}`],
    [
      'an IPv4 address as one however it is written',
      (n: number, turn: number) => [`198.51.100.${turn}`, `::ffff:198.51.100.${turn}`][n % 2]!,
    ],
  ])('counts %s', async (_, address) => {
    const answers = await twelve((n, turn) => from(product.base, address(n, turn)));
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
    expect((await from(product.base, '2001:db8:0:8::1')).status).toBe(401);
  });

  test('says how much is left, and how long to wait', async () => {
    const answers = await twelve((_, turn) => from(product.base, `203.0.113.${30 + turn}`));
    const said = (name: string) => answers.map(({ headers }) => headers.get(name));
    expect(new Set(said('ratelimit-limit'))).toEqual(new Set(['10']));
    expect(
      said('ratelimit-remaining')
        .map(Number)
        .sort((a, b) => b - a),
    ).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(new Set(said('ratelimit-reset'))).toEqual(new Set(['1']));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('rate_limited');
    expect(refused?.headers.get('retry-after')).toBe('1');
  });

  test('counts by key, whatever the addresses, also when the key’s last character is another', async () => {
    const answers = await twelve((n, turn) =>
      from(product.base, `203.0.114.${20 * turn + n}`, `some-key-${turn}-${n % 4}`),
    );
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
  });

  test('believes only what the trusted proxy says of the address', async () => {
    const answers = await twelve((n, turn) => from(product.base, `198.51.100.${n}, 203.0.115.${turn}`));
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
  });

  test.each([
    ['GET', '/c/nobody', '203.0.120', 404],
    ['GET', '/c/nobody/messages', '203.0.121', 404],
    ['GET', '/c/nobody/stream', '203.0.122', 404],
    ['POST', '/c/nobody/messages', '203.0.123', 400],
  ])('holds for %s %s, which the contact’s page asks', async (method, path, network, served) => {
    const answers = await twelve((_, turn) =>
      fetch(`${product.origin}${path}`, { method, headers: { 'X-Forwarded-For': `${network}.${turn}` } }),
    );
    expect(statusesOf(answers)).toEqual([...Array<number>(10).fill(served), 429, 429]);
  });

  test('leaves no trace of what it refuses', async () => {
    const before = (await product.admin.get('/users')).headers.get('x-total');
    const answers = await Promise.all(
      Array.from({ length: 5 * LIMIT }, () => product.admin.post('/users', { role: 'bot' })),
    );
    const created = answers.filter(({ status }) => status === 201).length;
    expect(created).toBeLessThan(5 * LIMIT);
    const after = await eventually(async () => {
      const { status, headers } = await product.admin.get('/users');
      return status === 200 && headers.get('x-total');
    });
    expect(Number(after) - Number(before)).toBe(created);
  });
});

describe('the rate limit of several API processes', () => {
  let product: Product;
  const sharing = { ...environment, RATE_LIMIT_PER_SECOND: String(SHARED_LIMIT) };
  let second: Awaited<ReturnType<typeof startSecondApi>>;

  beforeAll(async () => {
    product = await startApi('shared_limits', sharing);
    second = await startSecondApi('shared_limits', sharing);
    const metrics = () => fetch(`${product.origin}/metrics`).then((response) => response.text());
    await eventually(async () => /^parlance_rate_limit_shared 1$/m.test(await metrics()));
  });
  afterAll(async () => {
    await second.close();
    await product.close();
  });

  test('holds in sum, second by second', async () => {
    const secondOf = (time: number) => Math.floor(time / 1000);
    const startedAt = Date.now();
    const statuses: number[] = [];
    const ask = async (base: string) => {
      while (Date.now() < startedAt + 3_000) statuses.push((await from(base, '203.0.121.1')).status);
    };
    await Promise.all([product.base, second.base].flatMap((base) => [ask(base), ask(base), ask(base)]));
    const seconds = secondOf(Date.now()) - secondOf(startedAt) + 1;
    const served = statuses.filter((status) => status === 401).length;
    expect(served).toBeLessThanOrEqual(seconds * SHARED_LIMIT);
    // Nor does it refuse what it should serve: every whole second in between had its four, if they
    // came.
    expect(served).toBeGreaterThanOrEqual(
      Math.min((seconds - 2) * SHARED_LIMIT, Math.floor(statuses.length / 4)),
    );
  });
});

describe('a request counter', () => {
  const options = { limit: 3, shared: () => true };

  test.each([
    ['fails', 0, () => Promise.reject(new Error('no store'))],
    ['does not answer', 1_000, () => new Promise<number>(() => undefined)],
  ])('counts by itself while the store %s, and keeps nobody waiting', async (_, patienceMs, add) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked: string[] = [];
    const count = createRequestCounter({
      ...options,
      add: (key) => {
        asked.push(key);
        return add();
      },
    });
    const first = count('a');
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(await first).toMatchObject({ requests: 1 });
    // The clock stands still: nobody waits for anything.
    await Promise.all([count('b'), count('b'), count('b')]);
    expect(asked).toHaveLength(1);
  });

  test('asks the store no more once the limit is passed, and together for what comes at once', async () => {
    const added: number[] = [];
    let sum = 0;
    const add = async (_: string, { requests }: { requests: number }) => {
      added.push(requests);
      sum += requests;
      await new Promise(setImmediate);
      return sum;
    };
    const count = createRequestCounter({ ...options, limit: 20, add });
    const usages = await Promise.all(Array.from({ length: 50 }, () => count('a')));
    expect(sum).toBeLessThanOrEqual(21);
    expect(added.length).toBeLessThanOrEqual(3);
    expect(usages.filter(({ requests }) => requests <= 20).length).toBe(20);
  });

  test('does not tell the store what it counts', async () => {
    const keys: string[] = [];
    const add = (key: string) => Promise.resolve(keys.push(key));
    await createRequestCounter({ ...options, add })('token secret-end-of-a-token');
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toContain('secret');
  });
});
