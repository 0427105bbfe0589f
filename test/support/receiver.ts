import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a receiver got. */
export interface Received {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw text of the body. */
  body: string;
  /** Milliseconds of this process' monotonic clock. */
  at: number;
}

/** What a receiver does with a request. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

/**
 * A webhook's other end: a real HTTP server that does what it is told and remembers what it got.
 */
export interface Receiver {
  url: string;
  received: Received[];
  /** What it does from now on; at first it answers 200. */
  behave: (behaviour: Behaviour) => void;
  /** How many connections it was opened in all. */
  connections: () => number;
  close: () => Promise<void>;
}

/** Where the product reaches this machine: not by loopback where it runs in containers. */
const HOST = process.env['PARLANCE_TEST_RECEIVER_HOST'] ?? '127.0.0.1';

/** Starts a receiver where the product reaches it, on a free port or on the given one. */
export async function startReceiver({ port = 0, host = HOST } = {}): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour = respondWith(200);
  let connections = 0;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const got = { method, path: url, headers, body, at: performance.now() };
      received.push(got);
      behaviour(response, got);
    });
  });
  server.on('connection', () => connections++);
  server.listen(port, host);
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => (behaviour = next),
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a status, perhaps a body and headers. */
export function respondWith(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Takes the request and never answers. */
export const hang: Behaviour = () => undefined;

/** Closes the connection without a word. */
export const closeAtOnce: Behaviour = (response) => response.destroy();

/** Promises an answer and closes in the middle of it. */
export const closeHalfWay: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('half', () => response.destroy());
};

/**
 * Answers 200 with so many bytes, as fast as they are taken. Gives up when nobody listens any more.
 */
export function flood(bytes: number): Behaviour {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  return (response) => {
    let left = bytes;
    response.on('error', () => undefined);
    response.writeHead(200);
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', pour);
      }
      response.end();
    };
    pour();
  };
}

/** Does the behaviours one after the other, one per request; the last one goes on. */
export function script(...steps: [Behaviour, ...Behaviour[]]): Behaviour {
  let at = 0;
  return (response, request) => {
    const step = steps[Math.min(at++, steps.length - 1)];
    step?.(response, request);
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Answers 200, but only after so long. */
export function respondAfter(ms: number): Behaviour {
  return (response) => void setTimeout(() => response.writeHead(200).end(), ms);
}
