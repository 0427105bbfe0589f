import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { startApi } from '../support/shared-servers.ts';
import { attackMs, expectInTime, pace, quantile, statuses } from './neighbour.ts';
import { newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, Neighbour } from './webhook-neighbour.ts';

const SHORT_MS = 10_000;
const QUIET = 60;
const SOME = 20;
const MIB = 1024 * 1024;
/** More than anybody has to read. */
const POURED = 8 * MIB;
const BAIT_EVERY_MS = 250;
const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;

/** Writes what is no answer that the HTTP server would make; as much of `goOn` as is taken. */
function raw(begin: string, goOn = ''): Behaviour {
  const chunk = Buffer.from(goOn.repeat(Math.floor(MIB / Math.max(1, goOn.length))), 'latin1');
  return ({ socket }) => {
    socket?.on('error', () => undefined).write(begin, 'latin1');
    let left = chunk.length > 0 ? POURED : 0;
    const pour = () => {
      while (left > 0 && socket && !socket.destroyed) {
        left -= chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', pour);
      }
    };
    pour();
  };
}

/** A byte a second of a header that never ends. */
const slowHeader: Behaviour = ({ socket }) => {
  socket?.on('error', () => undefined).write(`${OK}X-Slow: `);
  const timer = setInterval(() => socket?.write('x'), 1_000);
  socket?.once('close', () => clearInterval(timer));
};

const reset: Behaviour = ({ socket }) => {
  socket?.write(`${OK}Content-Length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy());
};

const BOMB = gzipSync(Buffer.alloc(64 * MIB));
const bomb: Behaviour = (response) =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(BOMB);

const HOSTILE: Record<string, Behaviour> = {
  'headers without end': raw(OK, 'a: b\r\n'),
  'interim answers without end': raw('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  'a status line without end': raw('HTTP/1.1 200 ', 'x'),
  'trailers without end': raw(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`, 'a: b\r\n'),
  'the bytes of TLS': raw('', '\x16\x03\x01\x02\x00'),
  'a header by the byte': slowHeader,
  'a reset in the midst': reset,
  'a wait of thirty years': answer(503, '', { 'retry-after': '999999999' }),
  'a small answer that is large': bomb,
  'two answers to one request': raw(`${EMPTY}HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n`),
  'an answer that is longer than it says': raw(`${OK}Content-Length: 2\r\n\r\n{}`, 'x'),
};

/** What receivers may answer with, each at a service of its own. */
describe('hostile receivers', () => {
  let product: Product;
  let attacker: Attacker;
  let neighbour: Neighbour;
  let trap: Receiver;
  const receivers = new Map<string, Receiver>();

  beforeAll(async () => {
    product = await startApi('hostile_receivers', { WEBHOOK_TIMEOUT_MS: '5000' });
    [attacker, neighbour, trap] = await Promise.all([
      newTenant(product, 'Hostile'),
      startNeighbour(product),
      startReceiver(),
    ]);
    const gone = { ...HOSTILE, 'nobody any more': answer(410) };
    const all = { ...gone, 'a way elsewhere': answer(307, '', { location: trap.url }) };
    for (const [name, behaviour] of Object.entries(all)) await register(name, behaviour);
    await neighbour.measure(SOME);
  });
  afterAll(async () => {
    await product.close();
    await Promise.all([
      neighbour.close(),
      trap.close(),
      ...[...receivers.values()].map((one) => one.close()),
    ]);
  });

  async function register(name: string, behaviour: Behaviour): Promise<void> {
    const receiver = await startReceiver();
    const { organization } = attacker;
    const params = { url: receiver.url, events: ['message.create.*'] };
    const service = { name, type: 'webhook', organization, params };
    expect((await attacker.admin.post('/services', service)).body.status).toBe('active');
    receiver.behave(behaviour);
    receivers.set(name, receiver);
  }

  const delivered = (name: string) =>
    receivers.get(name)!.received.filter(({ method }) => method === 'POST').length;

  /** Many conversations: a service that fails one of them goes on with the others. */
  const provoke = () => {
    const { organization } = attacker;
    return attacker.admin.post('/conversations', { organization, messages: [{ text: 'bait' }] });
  };

  test('hold up nobody else, and nothing of others is lost', async () => {
    const quiet = await neighbour.measure(QUIET);
    const forMs = attackMs(SHORT_MS, 1);
    const provoking = pace(provoke, { everyMs: BAIT_EVERY_MS, forMs });
    const took: number[] = [];
    const until = performance.now() + forMs;
    while (performance.now() < until) took.push(...(await neighbour.measure(SOME)));
    const baits = await provoking;
    console.log(
      `${baits.length} baits; ${[...receivers.keys()].map((name) => `${name}: ${delivered(name)}`).join('; ')}`,
    );
    const said = [took, quiet].map((times) => quantile(times, 0.99).toFixed(0));
    console.log(`deliveries of others: ${took.length}, p99 ${said[0]} ms, quiet ${said[1]} ms`);
    expectInTime(took, quiet);
    expect(Object.keys(statuses(baits))).toEqual(['201']);
    for (const name of receivers.keys()) expect(delivered(name), name).toBeGreaterThan(0);
    await neighbour.expectAllThere();
  });

  test('are believed only what they may say', async () => {
    // Nobody goes where they point, and who is gone is not asked again.
    expect(trap.received).toEqual([]);
    const { body } = await attacker.admin.get('/services?limit=100');
    const status = (name: string) => body.find((one: { name: string }) => one.name === name).status;
    expect(status('nobody any more')).toBe('disabled');
    // The answer to a request is the first one.
    expect(status('two answers to one request')).toBe('active');
    const cured = receivers.get('a wait of thirty years')!;
    const before = cured.received.length;
    cured.behave(answer(200));
    await eventually(() => cured.received.length > before, { withinMs: 60_000, everyMs: 250 });
  });
});
