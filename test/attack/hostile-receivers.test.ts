import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';
import { attackBeside, measureQuiet } from './neighbour.ts';
import { newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, WebhookNeighbour } from './webhook-neighbour.ts';

/** In the everyday run (not `npm run test:load`), no attempt reaches its timeout. */
const TIMEOUT_MS = LOAD_MINUTES > 0 ? '5000' : '600000';
const WITHIN = { withinMs: 90_000, everyMs: 100 };
const MIB = 1024 * 1024;
/** More bytes than the product reads of a response. */
const POURED = 8 * MIB;
const BAIT_EVERY_MS = 250;
const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;

/** Writes raw bytes: `begin` once, then `goOn`, if given, until 8 MiB are written. */
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

let slowEnded = 0;

/** Writes an endless header, one byte a second. */
const slowHeader: Behaviour = ({ socket }) => {
  socket?.on('error', () => undefined).write(`${OK}X-Slow: `);
  const timer = setInterval(() => socket?.write('x'), 1_000);
  socket?.once('close', () => {
    clearInterval(timer);
    slowEnded += 1;
  });
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
  'a wait of thirty years': respondWith(503, '', { 'retry-after': '999999999' }),
  'a small answer that is large': bomb,
  'two answers to one request': raw(`${EMPTY}HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n`),
  'an answer that is longer than it says': raw(`${OK}Content-Length: 2\r\n\r\n{}`, 'x'),
};

/** Each kind of hostile response has its own service and receiver. */
describe('hostile receivers', () => {
  let product: OwnProduct;
  let attacker: Attacker;
  let neighbour: WebhookNeighbour;
  let trap: Receiver;
  const receivers = new Map<string, Receiver>();

  beforeAll(async () => {
    product = await startApi('hostile_receivers', { WEBHOOK_TIMEOUT_MS: TIMEOUT_MS });
    [attacker, neighbour, trap] = await Promise.all([
      newTenant(product, 'Hostile'),
      startNeighbour(product),
      startReceiver(),
    ]);
    const gone = { ...HOSTILE, 'nobody any more': respondWith(410) };
    const all = { ...gone, 'a way elsewhere': respondWith(307, '', { location: trap.url }) };
    for (const [name, behaviour] of Object.entries(all)) await register(name, behaviour);
    await neighbour.measure(5);
  });
  afterAll(async () => {
    await product.worker.kill();
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
    await untilActive(attacker.admin, await attacker.admin.post('/services', service));
    receiver.behave(behaviour);
    receivers.set(name, receiver);
  }

  const delivered = (name: string) =>
    receivers.get(name)!.received.filter(({ method }) => method === 'POST').length;

  /**
   * Creates a conversation and waits until a responsive receiver has the message. Each call uses a
   * new conversation, because a failed delivery delays later deliveries of the same conversation.
   */
  async function provoke(at: number): Promise<number> {
    const messages = [{ text: `bait ${at}.` }];
    const { organization } = attacker;
    const { status } = await attacker.admin.once.post('/conversations', { organization, messages });
    const { received } = receivers.get('two answers to one request')!;
    if (status === 201)
      await eventually(() => received.some(({ body }) => body.includes(`bait ${at}.`)), WITHIN);
    return status;
  }

  test('hostile receivers do not delay the deliveries of another organization, which loses no delivery', async () => {
    const quiet = await measureQuiet(neighbour);
    const sent = await attackBeside(neighbour, quiet, {
      ...{ name: 'hostile receivers', attack: provoke },
      ...{ each: 1, most: 1, everyMs: BAIT_EVERY_MS, parts: 1 },
    });
    // The attacker itself may get 503 on an overloaded machine.
    for (const status of sent) expect([201, 503]).toContain(status);
    await eventually(() => [...receivers.keys()].every((name) => delivered(name) > 0), WITHIN);
    console.log([...receivers.keys()].map((name) => `${name}: ${delivered(name)}`).join('; '));
    // An endless attempt still occupies its slot, and the neighbour did not need that slot. A lost
    // heartbeat ends attempts, which are then repeated.
    const countSlow = () => delivered('a header by the byte') - slowEnded;
    if (LOAD_MINUTES === 0) await expect.poll(countSlow).toBeGreaterThan(0);
    await neighbour.expectAllThere();
  });

  test('hostile receivers can neither redirect deliveries nor pause them for years, but can disable themselves with 410', async () => {
    // The product follows no redirect.
    expect(trap.received).toEqual([]);
    const statusOf = async (name: string) => {
      const { body } = await attacker.admin.get('/services?limit=100');
      return body.find((one: { name: string }) => one.name === name).status;
    };
    await eventually(async () => (await statusOf('nobody any more')) === 'disabled', WITHIN);
    // Only the first response to a request counts.
    expect(await statusOf('two answers to one request')).toBe('active');
    const cured = receivers.get('a wait of thirty years')!;
    const before = cured.received.length;
    cured.behave(respondWith(200));
    await eventually(() => cured.received.length > before, WITHIN);
  });
});
