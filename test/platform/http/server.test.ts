import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { CALLERS, allowLongBody, findBodyPart, isBrokenOff } from '../../../platform/http/connections.ts';
import type { ListenerBounds } from '../../../platform/http/connections.ts';
import { createBoundedServer } from '../../../platform/http/server.ts';
import { eventually } from '../../support/eventually.ts';

const MIB = 1024 * 1024;
const HEAD = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

const open: { server: Server; sockets: Socket[] }[] = [];

afterAll(() => {
  for (const { server, sockets } of open.splice(0)) {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    server.closeAllConnections();
  }
});

/**
 * Starts a listener with these bounds. A test client that pauses its socket leaves its data unread.
 */
async function listener(handle: RequestListener, bounds: Partial<ListenerBounds> = {}) {
  const server = createBoundedServer({
    handle,
    rejectExcessRequest: (response) => response.writeHead(429).end(),
    lastWords: (reason) => `HTTP/1.1 400 ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    bounds: { ...CALLERS, ...bounds },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  let accepted = 0;
  server.on('connection', () => (accepted += 1));
  open.push({ server, sockets });
  return {
    /** Number of accepted connections so far. */
    accepted: () => accepted,
    async connected(said = '') {
      const { port } = server.address() as AddressInfo;
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      sockets.push(socket.on('error', () => undefined));
      await once(socket, 'connect');
      socket.write(said);
      return socket;
    },
    held: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  };
}

type Listener = Awaited<ReturnType<typeof listener>>;

/** Returns the text that the server sends until it ends the connection. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const holds = (listening: Listener, count: number) =>
  eventually(async () => (await listening.held()) === count);

/** Waits until a connection was accepted and all connections are closed. */
const letsGo = async (listening: Listener) => {
  await eventually(() => listening.accepted() > 0);
  await holds(listening, 0);
};

const hello: RequestListener = (_, response) => response.end('hello');

describe('a listener closes a connection', () => {
  // The cases run concurrently, because the HTTP server checks connections only once a second.
  test.concurrent.each([
    ['that sends nothing', ''],
    ['that stalls within a request', 'GET / HTTP/1.1\r\nHos'],
    ['that sends nothing but empty lines', '\r\n\r\n'],
    ['that sends no further request', HEAD],
    ['that stalls within a body', `${CHUNKED}3\r\nabc\r\n`],
    ['that sends bytes other than HTTP and stays open', 'HELLO\r\n\r\n'],
    ['that requests a tunnel and stays open', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('a listener closes a connection %s', async (_, said) => {
    const listening = await listener(
      (request, response) => {
        request.on('end', () => response.end('hello')).on('error', () => response.writeHead(400).end());
        request.resume();
      },
      { headersMs: 300, requestMs: 600, idleMs: 300, stalledMs: 300 },
    );
    await listening.connected(said);
    await letsGo(listening);
  });

  test('a listener closes a connection whose long body brings too little within the time of a request', async () => {
    const listening = await listener(
      (request, response) => {
        allowLongBody(request);
        request.on('error', () => response.writeHead(400).end('late')).resume();
      },
      { requestMs: 300, partBytes: 1_000 },
    );
    const socket = await listening.connected(`${CHUNKED}3\r\nabc\r\n`);
    expect(await heard(socket)).toMatch(/^HTTP\/1\.1 400 [^]*late/);
  });

  test('a listener waits longer than the time of a request for a long body that arrives in parts', async () => {
    let seen = '';
    const listening = await listener(
      (request, response) => {
        if (request.url === '/long') allowLongBody(request);
        request.on('error', () => response.writeHead(400).end('late')).on('end', () => response.end(seen));
        request.on('data', (chunk) => (seen += String(chunk)));
      },
      { requestMs: 300, partBytes: 0 },
    );
    const long = await listening.connected(`${CHUNKED.replace('/', '/long')}3\r\nabc\r\n`);
    await eventually(() => seen === 'abc');
    const ordinary = await listening.connected(CHUNKED);
    expect(await heard(ordinary)).toContain('late');
    long.write('3\r\ndef\r\n0\r\n\r\n');
    expect(String(await once(long, 'data'))).toContain('abcdef');
  });

  test.each([
    ['an ordinary body is late after the time of a request', 1_000, 600, {}, null],
    ['a body is not late before', 999, 0, {}, { startedAt: 0, bytesBefore: 100 }],
    ['a long body of which enough arrived gets the same time again', 1_000, 600, { isLong: true }, 'next'],
    ['a long body of which too little arrived is late', 1_000, 599, { isLong: true }, null],
    [
      'a long body that the service has not read yet is not late',
      1_000,
      100,
      { isLong: true, isUnread: true },
      'next',
    ],
  ])('%s', (_, now, bytes, more, expected) => {
    const part = { startedAt: 0, bytesBefore: 100 };
    const arrived = { now, bytes, isLong: false, isUnread: false, ...more };
    const next = expected === 'next' ? { startedAt: now, bytesBefore: bytes } : expected;
    expect(findBodyPart(part, arrived, { requestMs: 1_000, partBytes: 500 })).toEqual(next);
  });

  test('a listener closes a connection that does not read its response', async () => {
    const listening = await listener((_, response) => response.end(Buffer.alloc(32 * MIB)), {
      stalledMs: 300,
    });
    (await listening.connected(HEAD)).pause();
    await letsGo(listening);
  });

  test('a listener closes a connection that reads its response too slowly', async () => {
    const listening = await listener((_, response) => response.end(Buffer.alloc(64 * MIB)), {
      takingMs: 600,
    });
    const socket = await listening.connected(HEAD);
    const drops = setInterval(() => socket.read(64 * 1024), 10);
    await letsGo(listening);
    clearInterval(drops);
  });

  test('a listener closes a connection that continues to send after the response', async () => {
    const listening = await listener(hello);
    const socket = await listening.connected(CHUNKED);
    const answer = once(socket, 'data');
    expect(String(await answer)).toContain('200 OK');
    const flood = setInterval(() => socket.write(`${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`), 5);
    await holds(listening, 0);
    clearInterval(flood);
  });

  test('a listener that responds before the whole body has arrived announces the close and closes the connection', async () => {
    const listening = await listener((_, response) => response.writeHead(413).end('no'));
    for (const length of [`Content-Length: ${2 * MIB}`, 'Transfer-Encoding: chunked']) {
      const socket = await listening.connected(`POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
      const answer = heard(socket);
      // The client gets the whole response although it continues to send.
      for (let sent = 0; sent < 20; sent += 1) socket.write('x'.repeat(50_000));
      expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n[^]*\r\n\r\n[^]*no/);
      socket.destroy();
    }
    await holds(listening, 0);
    const ordinary = await listening.connected('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n');
    expect(String(await once(ordinary, 'data'))).not.toMatch(/Connection: close/);
  });

  test('a listener does not close a connection that waits for its response, or has read all that a stream has sent so far', async () => {
    const asked: string[] = [];
    const listening = await listener(
      ({ url = '' }, response) => {
        asked.push(url);
        if (url.startsWith('/stream')) response.write('first words');
        setTimeout(() => response.end('last words'), 1_500);
      },
      { stalledMs: 200, takingMs: 200, headersMs: 500, idleMs: 200 },
    );
    // On a stalled machine, the listener may close a connection before it reads the request, so the
    // test repeats the request.
    const answerTo = async (path: string, tries = 0): Promise<string> => {
      const url = `${path}/${tries}`;
      const answer = await heard(await listening.connected(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`));
      return asked.includes(url) ? answer : answerTo(path, tries + 1);
    };
    const answers = await Promise.all(['/slow', '/stream'].map((path) => answerTo(path)));
    for (const answer of answers) expect(answer).toContain('last words');
  });
});

describe('a listener with too many connections', () => {
  test('a listener with too many connections closes the least recently active connection', async () => {
    const listening = await listener(hello, { connectionsOfAddress: 3 });
    const [first, second] = [await listening.connected(), await listening.connected()];
    await listening.connected();
    await holds(listening, 3);
    first.write(HEAD);
    await once(first, 'data');
    const fourth = await listening.connected(HEAD);
    expect(String(await once(fourth, 'data'))).toContain('200 OK');
    expect(await heard(second)).toBe('');
    first.write(HEAD);
    expect(String(await once(first, 'data'))).toContain('200 OK');
  });

  test('a listener with too many connections refuses a new connection while all others wait for responses', async () => {
    let asked = 0;
    const listening = await listener(() => (asked += 1), { connections: 2 });
    await listening.connected(HEAD);
    await listening.connected(HEAD);
    await eventually(() => asked === 2);
    const third = await listening.connected();
    await once(third.resume(), 'end');
    expect(await listening.held()).toBe(2);
  });
});

describe('a listener whose responses are not read', () => {
  test('a listener whose responses are not read buffers a limited number of bytes and still serves clients that read their responses', async () => {
    const listening = await listener((_, response) => response.end(Buffer.alloc(8 * MIB)), {
      unreadBytes: 30 * MIB,
    });
    const greedy = await Promise.all(Array.from({ length: 20 }, () => listening.connected(HEAD.repeat(4))));
    greedy.forEach((socket) => socket.pause());
    await eventually(async () => (await listening.held()) <= 5);
    const honest = await listening.connected(HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect((await heard(honest)).length).toBeGreaterThan(8 * MIB);
  });
});

describe('a connection with pipelined requests', () => {
  test('a connection with pipelined requests gets its responses in order, and a refusal of the requests beyond the limit', async () => {
    const listening = await listener((_, response) => setTimeout(() => response.end('hello'), 50), {
      unanswered: 3,
    });
    const answers = await heard(await listening.connected(HEAD.repeat(5)));
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual([
      ...Array<string>(3).fill('HTTP/1.1 200'),
      'HTTP/1.1 429',
    ]);
  });

  test('a pipelined request starts only after the client has read the response to the previous request', async () => {
    let asked = 0;
    const listening = await listener((_, response) => {
      asked += 1;
      response.end(Buffer.alloc(32 * MIB));
    });
    const socket = await listening.connected(HEAD.repeat(3));
    await once(socket, 'readable');
    expect(asked).toBe(1);
    socket.resume();
    await eventually(() => asked === 3);
  });

  test('a connection with pipelined requests gets the responses to valid requests before the error for invalid bytes', async () => {
    const listening = await listener((_, response) => setTimeout(() => response.end('hello'), 100));
    const answers = await heard(await listening.connected(`${HEAD}${HEAD}HELLO\r\n\r\n`));
    expect(answers.match(/HTTP\/1.1 \d+ \w+/g)).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 400 malformed',
    ]);
  });

  test('a connection with pipelined requests gets one response to a request whose body cannot be read', async () => {
    const listening = await listener((request, response) => {
      request.once('error', () => response.writeHead(418).end()).resume();
    });
    const answers = await heard(await listening.connected(`${CHUNKED}3\r\nabc\r\nZZ\r\n`));
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 418']);
  });

  test('a connection with pipelined requests gets one response if the body fails before the handler reads it', async () => {
    const listening = await listener((request, response) => {
      setTimeout(() => response.writeHead(isBrokenOff(request) ? 418 : 200).end(), 50);
    });
    const answers = await heard(await listening.connected(`${CHUNKED}ZZ\r\n`));
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 418']);
  });
});
