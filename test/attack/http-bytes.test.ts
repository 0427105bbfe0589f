import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMbOf } from '../bench/cpu-time.ts';
import { startApi } from '../support/shared-servers.ts';
import { HOSTILE_BODIES } from '../support/hostile-bodies.ts';
import type { OwnProduct } from '../support/product.ts';
import { startTalk } from './honest-talk.ts';
import type { HonestTalk } from './honest-talk.ts';
import { HOSTILE_BYTES, login } from './hostile-bytes.ts';
import { attackBeside, measureQuiet } from './neighbour.ts';
import type { Seen } from './neighbour.ts';

const ATTACKS = 4;
/** The maximum time until the API closes a rejected connection. */
const CLOSED_WITHIN_MS = 60_000;
/** The rounds of each attack in the everyday run (not `npm run test:load`). */
const ROUNDS = 15;
/** The time after which the test ends a hostile connection. */
const HELD_MS = 500;
const MAX_MB = 400;

describe('hostile bytes', () => {
  let product: OwnProduct;
  let talk: HonestTalk;
  let quiet: Seen;
  const sockets = new Set<Socket>();
  const statuses = new Set<number>();

  beforeAll(async () => {
    product = await startApi('http_bytes');
    talk = await startTalk(product);
    quiet = await measureQuiet(talk);
  });
  afterAll(async () => {
    sockets.forEach((socket) => socket.destroy());
    await product.close();
  });

  async function connected(): Promise<Socket> {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1');
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    sockets.add(socket);
    await once(socket, 'connect');
    return socket;
  }

  /**
   * Returns the status codes of all responses until the API closes the connection, at most for
   * `forMs`.
   */
  async function answersTo(bytes: string | Buffer, forMs = CLOSED_WITHIN_MS): Promise<number[]> {
    const socket = await connected();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(bytes);
    await Promise.race([once(socket, 'close').catch(() => undefined), wait(forMs)]);
    socket.destroy();
    return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  }

  test.concurrent.each([...HOSTILE_BYTES])(
    'hostile bytes get exactly the expected responses: %s',
    async (_, { bytes, answers }) => {
      expect(await answersTo(bytes)).toEqual(answers);
    },
  );

  /**
   * Runs hostile acts in turn while a neighbour posts. Asserts that the neighbour is unharmed, that
   * no response has a status of 500 or above, and that the memory of the API grows little.
   * `perSecond` is the rate in `npm run test:load`.
   */
  async function attack(
    name: string,
    { perSecond, acts }: { perSecond: number; acts: readonly (() => Promise<void>)[] },
  ): Promise<void> {
    const before = (await memoryMbOf(product.api.pid)) ?? 0;
    await attackBeside(talk, quiet, {
      ...{ name, attack: (at) => acts[at % acts.length]!(), parts: ATTACKS },
      ...{ rounds: ROUNDS, each: Math.max(5, Math.ceil(acts.length / ROUNDS)), everyMs: 1_000 / perSecond },
    });
    const grown = ((await memoryMbOf(product.api.pid)) ?? 0) - before;
    console.log(`${name}: +${grown.toFixed(0)} MB`);
    await talk.expectNothingLost();
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(grown).toBeLessThan(MAX_MB);
  }

  const sending = (bytes: string | Buffer) => async () => {
    for (const status of await answersTo(bytes, HELD_MS)) statuses.add(status);
  };

  /** Sends the pieces one by one, then keeps the connection open or resets it. */
  const dripping = (pieces: readonly string[], end: 'stays' | 'breaks off') => async () => {
    const socket = await connected();
    for (const piece of pieces) {
      if (socket.destroyed) return;
      socket.write(piece);
      await wait(20);
    }
    if (end === 'breaks off') socket.resetAndDestroy();
  };

  test('hostile bytes in broken or ambiguous requests do not harm others', () =>
    attack('broken requests', {
      perSecond: 20,
      acts: [...HOSTILE_BYTES.values()].map(({ bytes }) => sending(bytes)),
    }));

  test('hostile request bodies do not harm others', () =>
    attack('hostile bodies', {
      perSecond: 10,
      acts: [...HOSTILE_BODIES.values()].map((body) => sending(login(body))),
    }));

  test('requests that arrive slowly or stop halfway do not harm others', () => {
    const head = 'POST /v2/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const body = Array.from(`{"email":"${'x'.repeat(40)}`);
    return attack('drops', {
      perSecond: 50,
      acts: [
        dripping([], 'stays'),
        dripping(Array.from('GET / HTTP/1.1\r\nHost:'), 'stays'),
        dripping([`${head}Content-Length: 1000000\r\n\r\n`, ...body], 'stays'),
        dripping([`${head}Content-Length: 1000000\r\n\r\n`, ...body, 'x'.repeat(500_000)], 'breaks off'),
        dripping(
          [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...body.map((one) => `1\r\n${one}\r\n`)],
          'breaks off',
        ),
      ],
    });
  });

  test('connections with many requests and unread responses do not harm others', () => {
    const asking = (path: string, times: number) => async () => {
      const socket = await connected();
      socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
    };
    return attack('unread answers', {
      perSecond: 20,
      acts: [
        asking('/docs/index.json', 12),
        asking('/openapi.json', 12),
        asking('/metrics', 12),
        asking('/readyz', 12),
        asking('/', 200),
      ],
    });
  });
});
