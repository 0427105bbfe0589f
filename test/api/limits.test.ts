import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createLimit } from '../../api/limits/rate-limit.ts';
import { createRequestCounter } from '../../api/limits/rate-limit.ts';
import { respondToErrors } from '../../api/middleware/answer-errors.ts';
import type { RateLimits } from '../../platform/config/processes.ts';
import type { RequestState } from '../../api/middleware/observe.ts';
import { identifyToken, rateLimit } from '../../api/limits/rate-limit.ts';
import { stopClock as stopMeasuringClock } from '../../store/cluster/clock.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startLoneApi } from '../support/product.ts';
import type { LoneApi, Product } from '../support/product.ts';

const LIMIT = 10;
const DATABASE = 'limits';
/** Longer than a machine may pause: after a timeout, each process counts alone. */
const COUNT_TIMEOUT_MS = 60_000;

/** Sends a request with a client address, as the trusted proxy does. */
function from(base: string, address: string, token?: string) {
  return client(base, token).request('GET', '/users/me', undefined, { 'X-Forwarded-For': address });
}

const twelve = <T>(ask: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)));

const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).sort((a, b) => a - b);

const TEN_OF_TWELVE = [...Array<number>(10).fill(401), 429, 429];

test.each(['=', '==', '==='])(
  'the rate limit identifies a token regardless of its base64 alphabet and padding: %s',
  (padding) => {
    const token = `header.payload.${'a-_Z'.repeat(10)}xyz`;
    expect(identifyToken(token + padding)).toBe(identifyToken(token));
    expect(identifyToken(token.replaceAll('-', '+').replaceAll('_', '/'))).toBe(identifyToken(token));
  },
);

const ends: (() => unknown)[] = [];

/**
 * Starts a server in this process, so that tests can stop its clock. The server responds 401, or
 * 429 above the limit.
 */
async function serveLimited(perAddress: number, more: Partial<RateLimits> = {}) {
  const limit = await createLimit(pino({ level: 'silent' }), COUNT_TIMEOUT_MS);
  const limits = { perAddress, perKey: perAddress, exemptNetworks: [], ...more };
  const app = new Koa<RequestState>({ proxy: true, maxIpsCount: 1 });
  app.use(respondToErrors(() => ''));
  app.use(rateLimit(limits, limit.count));
  app.use((ctx) => void Object.assign(ctx, { status: 401, body: {} }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(limit.leave, () => server.close().closeAllConnections());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, shared: limit.shared };
}

/** Stops the clock of the rate limiter until the test ends. */
function stopClock() {
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  return { passes: (ms: number) => clock.mockReturnValue(now + ms) };
}

beforeAll(async () => {
  await connectStore(inject('mongodbUri'), { database: DATABASE });
  // A measurement against a stopped clock would move the store's time forward within a test.
  stopMeasuringClock();
  await ensureIndexes();
});
afterAll(() => disconnectStore());

/** Spec 2.10. */
describe('the rate limit', () => {
  let served: { base: string };

  beforeAll(async () => {
    served = await serveLimited(LIMIT);
  });
  afterAll(() => Promise.all(ends.splice(0).map((end) => end())));

  test('the rate limit counts by address and second, and rejects requests above the limit', async () => {
    const { passes } = stopClock();
    const ask = () => from(served.base, '203.0.113.1');
    expect(statusesOf(await twelve(ask))).toEqual(TEN_OF_TWELVE);
    expect((await from(served.base, '203.0.113.200')).status).toBe(401);
    passes(999);
    expect((await ask()).status).toBe(429);
    passes(1_000);
    expect(statusesOf(await twelve(ask))).toEqual(TEN_OF_TWELVE);
  });

  test.each([
    ['all addresses of an IPv6 network as one address', (n: number) => `2001:db8:1:7::${n + 1}`],
    [
      'both notations of an IPv4 address as one address',
      (n: number) => ['198.51.100.1', '::ffff:198.51.100.1'][n % 2]!,
    ],
  ])('the rate limit counts %s', async (_, address) => {
    stopClock();
    const answers = await twelve((n) => from(served.base, address(n)));
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
    expect((await from(served.base, '2001:db8:0:8::1')).status).toBe(401);
  });

  test('the rate limit returns the number of remaining requests and the time to wait', async () => {
    stopClock();
    const answers = await twelve(() => from(served.base, '203.0.113.30'));
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

  test('the rate limit counts by token across addresses and ignores the last character of the token', async () => {
    stopClock();
    const answers = await twelve((n) => from(served.base, `203.0.114.${n}`, `some-key-${n % 4}`));
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
  });

  test('the rate limit trusts only the address that the trusted proxy added', async () => {
    stopClock();
    const answers = await twelve((n) => from(served.base, `198.51.100.${n}, 203.0.115.1`));
    expect(statusesOf(answers)).toEqual(TEN_OF_TWELVE);
  });
});

describe('rate limits per address and per key', () => {
  const EXEMPT = ['192.0.2.0/24', '2001:db8:aaaa::/48'];
  let served: { base: string };

  beforeAll(async () => {
    served = await serveLimited(LIMIT, { perKey: 4, exemptNetworks: EXEMPT });
  });
  afterAll(() => Promise.all(ends.splice(0).map((end) => end())));

  const accepted = (answers: { status: number }[]) => answers.filter(({ status }) => status === 401).length;
  const messages = (answers: { status: number; body: { message: string } }[]) => [
    ...new Set(answers.filter(({ status }) => status === 429).map(({ body }) => body.message)),
  ];

  test('programs behind one address share its limit, and the refusal names the limit of the address', async () => {
    stopClock();
    const answers = await twelve((n) => from(served.base, '203.0.113.40', `key-${n % 4}-of-a-program`));
    expect(accepted(answers)).toBe(10);
    expect(messages(answers)).toEqual([
      'At most 10 requests per second are served to a client address, for all programs behind it together.',
    ]);
  });

  test('a key has its limit over all addresses, and the refusal names the limit of the key', async () => {
    stopClock();
    const answers = await twelve((n) => from(served.base, `203.0.116.${n}`, 'one-key-for-all'));
    expect(accepted(answers)).toBe(4);
    expect(messages(answers)).toEqual(['At most 4 requests per second are served to an API key or token.']);
    expect(new Set(answers.map(({ headers }) => headers.get('ratelimit-limit')))).toEqual(new Set(['4']));
  });

  test.each(['192.0.2.7', '::ffff:192.0.2.8', '2001:db8:aaaa:1::1'])(
    'programs behind the exempt address %s are limited by key alone',
    async (address) => {
      stopClock();
      const keyed = await twelve((n) => from(served.base, address, `key-${n % 4}-at-${address}`));
      expect(accepted(keyed)).toBe(12);
      const one = await twelve(() => from(served.base, address, `only-key-${address}`));
      expect(accepted(one)).toBe(4);
      expect(accepted(await twelve(() => from(served.base, address)))).toBe(12);
    },
  );

  test('a client cannot claim an exempt address in X-Forwarded-For', async () => {
    stopClock();
    const answers = await twelve(() => from(served.base, '192.0.2.7, 203.0.113.41'));
    expect(accepted(answers)).toBe(10);
  });

  test('a limit of 0 turns off this limit and keeps the other', async () => {
    stopClock();
    const perKey = await serveLimited(0, { perKey: 4 });
    expect(accepted(await twelve(() => from(perKey.base, '203.0.113.42')))).toBe(12);
    expect(accepted(await twelve(() => from(perKey.base, '203.0.113.42', 'a-limited-key')))).toBe(4);
    const perAddress = await serveLimited(LIMIT, { perKey: 0 });
    const answers = await twelve(() => from(perAddress.base, '203.0.113.43', 'an-unlimited-key'));
    expect(accepted(answers)).toBe(10);
  });
});

describe('the rate limit of several API processes', () => {
  const SHARED_LIMIT = 4;

  afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

  test('the rate limit of several API processes applies to the sum of their requests in every second', async () => {
    const apis = [await serveLimited(SHARED_LIMIT), await serveLimited(SHARED_LIMIT)];
    await eventually(() => apis.every(({ shared }) => shared()));
    const { passes } = stopClock();
    for (const second of [0, 1, 2]) {
      passes(second * 1_000);
      const answers = await twelve((n) => from(apis[n % 2]!.base, '203.0.121.1'));
      expect(statusesOf(answers)).toEqual([...Array<number>(4).fill(401), ...Array<number>(8).fill(429)]);
    }
  });
});

describe('an API process with rate limits and TRUSTED_PROXIES', () => {
  let product: Product;
  let api: LoneApi;

  beforeAll(async () => {
    product = await sharedApi('limits');
    api = await startLoneApi(product.environment, {
      ...{ RATE_LIMIT_PER_ADDRESS: '1', RATE_LIMIT_PER_KEY: '1', TRUSTED_PROXIES: '1' },
      RATE_LIMIT_EXEMPT_NETWORKS: '198.18.0.0/15',
    });
  });
  afterAll(async () => {
    await api.close();
    await product.close();
  });

  test('the rate limit of an API process counts by the address from the proxy, and shares the counts with other processes', async () => {
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => from(api.base, '198.51.100.1, 203.0.113.1')),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const served = answers.filter(({ status }) => status === 401).length;
    expect(served).toBeGreaterThan(0);
    expect(served).toBeLessThanOrEqual(seconds + 2);
    expect((await from(api.base, '203.0.113.2')).status).toBe(401);
    const metrics = () => fetch(api.base.replace('/v2', '/metrics')).then((response) => response.text());
    await eventually(async () => /^parlance_rate_limit_shared 1$/m.test(await metrics()));
  });

  test.each([
    ['GET', '/c/nobody', '203.0.120.1', 404],
    ['GET', '/c/nobody/messages', '203.0.121.1', 404],
    ['GET', '/c/nobody/stream', '203.0.122.1', 404],
    ['POST', '/c/nobody/messages', '203.0.123.1', 400],
  ])(
    'the rate limit of an API process limits %s %s of the chat page',
    async (method, path, address, status) => {
      const headers = { 'X-Forwarded-For': address };
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => fetch(api.base.replace('/v2', path), { method, headers })),
      );
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status, 429]));
    },
  );

  test('the rate limit of an API process does not count the addresses of RATE_LIMIT_EXEMPT_NETWORKS', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => from(api.base, '198.18.0.1')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('the rate limit of an API process rejects requests without side effects', async () => {
    const { token } = await newUser(product, { role: 'admin' });
    const total = async () => Number((await product.admin.get('/users')).headers.get('x-total'));
    const before = await total();
    const limited = client(api.base, token);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => limited.post('/users', { role: 'bot' })),
    );
    const created = answers.filter(({ status }) => status === 201).length;
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - created);
    expect(created).toBeLessThan(50);
    expect((await total()) - before).toBe(created);
  });
});

describe('a request counter', () => {
  const LIMIT = 3;
  const options = { shared: () => true, timeoutMs: 1_000 };

  test.each([
    ['fails', 0, () => Promise.reject(new Error('no store'))],
    ['does not answer', 1_000, () => new Promise<number>(() => undefined)],
  ])('a request counter counts in memory without delay once the store %s', async (_, patienceMs, add) => {
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
    const first = count('a', LIMIT);
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(await first).toMatchObject({ requests: 1 });
    // The fake clock stands still, so a count that waits for a timeout would never resolve.
    await Promise.all([count('b', LIMIT), count('b', LIMIT), count('b', LIMIT)]);
    expect(asked).toHaveLength(1);
  });

  test('a request counter batches concurrent counts, and does not call the store above the limit', async () => {
    const added: number[] = [];
    let sum = 0;
    const add = async (_: string, { requests }: { requests: number }) => {
      added.push(requests);
      sum += requests;
      await new Promise(setImmediate);
      return sum;
    };
    const count = createRequestCounter({ ...options, add });
    const usages = await Promise.all(Array.from({ length: 50 }, () => count('a', 20)));
    expect(sum).toBeLessThanOrEqual(21);
    expect(added.length).toBeLessThanOrEqual(3);
    expect(usages.filter(({ requests }) => requests <= 20).length).toBe(20);
  });

  test('a request counter hides the token from the store', async () => {
    const keys: string[] = [];
    const add = (key: string) => Promise.resolve(keys.push(key));
    await createRequestCounter({ ...options, add })('token secret-end-of-a-token', LIMIT);
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toContain('secret');
  });
});
