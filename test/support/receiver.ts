import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  /** Without the secret prefix of the receiver's url. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** A function that responds to a request that a receiver got. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

/**
 * An HTTP server that receives webhook deliveries. It records its requests and responds as `behave`
 * sets.
 */
export interface Receiver {
  url: string;
  received: Received[];
  /** Sets how the receiver responds. By default it responds with status 200. */
  behave: (behaviour: Behaviour) => void;
  connections: () => number;
  close: () => Promise<void>;
}

/**
 * The address at which the product reaches this machine. It is not loopback if the product runs in
 * containers.
 */
const HOST = process.env['PARLANCE_TEST_RECEIVER_HOST'] ?? '127.0.0.1';

interface ReceiverOptions {
  /** Default: a free port. */
  port?: number;
  host?: string;
  /** Records requests of every path, not only of those that begin with a secret. */
  takesAll?: boolean;
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { port = 0, host = HOST, takesAll = port !== 0 } = options;
  const received: Received[] = [];
  let behaviour = respondWith(200);
  let connections = 0;
  const prefix = takesAll ? '' : `/${randomUUID()}`;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url = '', headers } = request;
      // The port may have belonged to the receiver of another test, whose webhook still retries.
      if (!url.startsWith(`${prefix}/`)) return void response.writeHead(410).end();
      const got = { method, path: url.slice(prefix.length), headers, body, at: performance.now() };
      received.push(got);
      behaviour(response, got);
    });
  });
  server.on('connection', () => connections++);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}${prefix}/hook`,
    received,
    behave: (next) => (behaviour = next),
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a behaviour that responds with a status, and optionally a body and headers. */
export function respondWith(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

export const hang: Behaviour = () => undefined;

export const closeAtOnce: Behaviour = (response) => response.destroy();

/** Closes the connection in the middle of the response. */
export const closeHalfWay: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('half', () => response.destroy());
};

/**
 * Returns a behaviour that responds with status 200 and this many bytes, as fast as the client
 * reads, until the client disconnects.
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

/** Returns a behaviour that uses the next step for each request, and repeats the last step. */
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

/** Returns a behaviour that responds with status 200 after a delay. */
export function respondAfter(ms: number): Behaviour {
  return (response) => void setTimeout(() => response.writeHead(200).end(), ms);
}
