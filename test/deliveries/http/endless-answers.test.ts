import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWebhookClient } from '../../../deliveries/http/client.ts';
import type { WebhookClient } from '../../../deliveries/http/client.ts';
import type { AwaitTurn } from '../../../deliveries/http/exchange.ts';
import { abortable } from '../../../platform/concurrency/with-timeout.ts';
import { cpuRatio } from '../../support/cpu-time.ts';
import { respondWith, startReceiver } from '../../support/receiver.ts';
import type { Behaviour, Receiver } from '../../support/receiver.ts';

const MIB = 1024 * 1024;
const ANSWER_BYTES = 64 * MIB;
/** Maximum CPU time of an endless response, as a multiple of the CPU time of a body of 1 MiB. */
const MAX_RATIO = 4;
const TOO_LARGE = 'The headers of the response are too large.';
const NO_END = 'The response does not end.';
const NO_HTTP = 'The response is not HTTP.';
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** The start of a response, its endless continuation, and the reported reason. */
const ENDLESS: Record<string, { begin: string; goOn: string; reason: string }> = {
  'header after header': { begin: OK, goOn: 'a: b\r\n', reason: TOO_LARGE },
  'one long header': { begin: `${OK}a: `, goOn: 'x', reason: TOO_LARGE },
  'the name of a header': { begin: OK, goOn: 'x', reason: TOO_LARGE },
  'the words of the status': { begin: 'HTTP/1.1 200 ', goOn: 'x', reason: NO_END },
  'empty lines': { begin: '', goOn: '\r\n', reason: NO_END },
  'trailer after trailer': { begin: `${CHUNKED}1\r\nx\r\n0\r\n`, goOn: 'a: b\r\n', reason: TOO_LARGE },
  'an extension of a chunk': { begin: `${CHUNKED}1;`, goOn: 'x', reason: NO_END },
  'the first bytes of TLS': { begin: '', goOn: '\x16\x03\x01\x02\x00', reason: NO_HTTP },
};

let receiver: Receiver;
let client: WebhookClient;

beforeEach(async () => {
  receiver = await startReceiver();
  client = createWebhookClient({ timeoutMs: 60_000, allowedNetworks: ['127.0.0.0/8'], version: '1.2.3' });
});

afterEach(async () => {
  await client.close();
  await receiver.close();
});

const send = (awaitTurn?: AwaitTurn) =>
  client.sendWebhook({ url: receiver.url, id: 'event-1', body: '{}', secrets: [], awaitTurn });

/** Returns a behaviour that sends 64 MiB as fast as the client reads. */
function pour(begin: string, goOn: string): Behaviour {
  const chunk = Buffer.from(goOn.repeat(MIB / goOn.length), 'latin1');
  return ({ socket }) => {
    if (!socket) return;
    let left = ANSWER_BYTES;
    const next = () => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', next);
      }
    };
    socket.on('error', () => undefined).write(begin, 'latin1');
    next();
  };
}

describe('an endless response', () => {
  test.each(Object.entries(ENDLESS))(
    'an endless response (%s) is aborted at low CPU cost, and the reason is reported',
    async (_, { begin, goOn, reason }) => {
      const body = `${OK}Content-Length: ${MIB}\r\n\r\n{${'x'.repeat(MIB - 1)}`;
      // The CPU time includes the receiver, which runs in the same process.
      const ratio = await cpuRatio({
        async run() {
          receiver.behave(pour(begin, goOn));
          const { outcome, reason: told, isUnreadable } = await send();
          expect({ outcome, told, isUnreadable }).toEqual({
            outcome: 'unreachable',
            told: reason,
            isUnreadable: true,
          });
        },
        async honest() {
          receiver.behave(({ socket }) => void socket?.end(body));
          const { answer } = await send(() => Promise.resolve());
          expect(answer?.bytes).toHaveLength(MIB);
        },
        enough: MAX_RATIO,
      });
      expect(ratio).toBeLessThan(MAX_RATIO);
      // The client still works.
      receiver.behave(respondWith(200, 'fine'));
      expect((await send()).answer?.bytes.toString()).toBe('fine');
    },
  );
});

describe('a long response', () => {
  const LOGGED = 16 * 1024;
  const types = { page: 'text/html', json: 'application/json' };

  test.each([
    ['a page', types.page, 'x', LOGGED],
    ['an object without a type', types.page, '\ufeff\n {', MIB],
    ['JSON', types.json, '[', MIB],
  ])('a long response that is %s is read only as far as it may be a reply', async (_, type, begin, bytes) => {
    receiver.behave(respondWith(200, begin.padEnd(2 * MIB, 'x'), { 'content-type': type }));
    let turns = 0;
    const { answer } = await send(() => Promise.resolve(void (turns += 1)));
    expect([answer?.bytes.length, answer?.isCut, turns]).toEqual([bytes, true, bytes === MIB ? 1 : 0]);
  });

  test.each([200, 500])(
    'a long response with status %d is read for the log if nobody takes a reply',
    async (status) => {
      receiver.behave(respondWith(status, '{'.padEnd(MIB, 'x'), { 'content-type': types.json }));
      const { answer } = await send(status === 200 ? undefined : () => Promise.reject(new Error('a turn')));
      expect(answer?.bytes.length).toBe(LOGGED);
    },
  );

  test('a possible reply that waits for its turn is not read on, and ends with the timeout', async () => {
    await client.close();
    client = createWebhookClient({ timeoutMs: 500, allowedNetworks: ['127.0.0.0/8'], version: '1.2.3' });
    receiver.behave(respondWith(200, '{'.padEnd(MIB, 'x')));
    const { outcome } = await send((signal) => abortable(new Promise<void>(() => undefined), signal));
    expect(outcome).toBe('timed_out');
  });
});

describe('bytes after a response', () => {
  test('bytes after a response are never used as the response to the next delivery', async () => {
    const gone = 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n';
    receiver.behave(({ socket }) => void socket?.write(`${OK}Content-Length: 0\r\n\r\n${gone}`));
    const first = await send();
    receiver.behave(respondWith(200, 'the second'));
    const second = await send();
    expect([first.status, second.status, second.answer?.bytes.toString()]).toEqual([200, 200, 'the second']);
    expect(receiver.received).toHaveLength(2);
  });

  test('bytes that arrive on an idle connection close the connection', async () => {
    const gone = 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n';
    let connection: Socket | undefined;
    receiver.behave(({ socket }) => {
      connection = socket ?? undefined;
      socket?.write(`${OK}Content-Length: 0\r\n\r\n`);
    });
    await send();
    // Unexpected bytes make a connection unusable.
    const closed = once(connection!, 'close');
    connection!.write(gone);
    await closed;
    receiver.behave(respondWith(200, 'the second'));
    expect(await send()).toMatchObject({ status: 200 });
  });
});
