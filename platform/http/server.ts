import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerBounds } from './bounds.ts';
import { createConnections, endLingering } from './connections.ts';
import type { ClientConnection, Connections } from './connections.ts';
import { endUnreadable } from './unreadable.ts';
import type { LastWords } from './unreadable.ts';

const SWEEP_MS = 250;
/** How often the HTTP server looks for requests that take too long. */
const CHECK_MS = 1_000;
/** The body of a refused request may still arrive, if it is of an ordinary size. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface Serving {
  handle: RequestListener;
  /**
   * Answers a request that comes while too many of its connection wait for their answers; that
   * connection is then ended.
   */
  rejectExcessRequest: (response: ServerResponse) => void;
  /** What a client is told whose bytes cannot be read. */
  lastWords: LastWords;
  bounds: ListenerBounds;
}

/**
 * An HTTP server that bounds what it holds for its clients: connections in all and of an address,
 * unanswered requests of a connection, the time for a request and between requests, and answers
 * that are not taken (docs/decisions/connections.md).
 */
export function createBoundedServer({ handle, rejectExcessRequest, lastWords, bounds }: Serving): Server {
  const connections = createConnections(bounds);
  const server = createServer(
    {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.idleMs,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
    },
    (request, response) => {
      const connection = connections.of(request.socket);
      if (!connection) return;
      trackRequest(connection, request, response);
      connections.stir(connection);
      if (connection.responses.size > bounds.unanswered) {
        rejectExcessRequest(response.setHeader('Connection', 'close'));
        return;
      }
      connection.waiting.push(() => handle(request, response));
      if (connection.responses.size === 1) beginNext(connection);
    },
  );
  server.on('connection', connections.add);
  server.on('clientError', (error, socket) =>
    endUnreadable(connections, { socket: socket as Socket, error, lastWords }),
  );
  server.on('connect', (_, socket) => endLingering(socket, lastWords('tunnel')));
  server.timeout = bounds.stalledMs;
  server.on('timeout', (socket: Socket) => endStalled(connections, socket));
  const sweep = setInterval(() => endUnread(connections, bounds, performance.now()), SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
  return server;
}

function trackRequest(
  connection: ClientConnection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  connection.last = request;
  connection.responses.add(response);
  response.once('close', () => {
    connection.responses.delete(response);
    beginNext(connection);
  });
  announceEnd(request, response);
}

/**
 * An answer to a body that is still coming, and is no ordinary one, is the last of its connection
 * and says so: a client that has sent all of it by then would ask again over it.
 */
function announceEnd(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  const writeLast = (...head: Parameters<typeof writeHead>) => {
    if (!request.complete && !hasOrdinaryBody(request)) {
      response.setHeader('Connection', 'close');
      // The HTTP server would cut the connection, and its client may be sending still.
      request.socket.destroySoon = () => endLingering(request.socket);
    }
    return writeHead(...head);
  };
  response.writeHead = writeLast as typeof writeHead;
}

// One at a time, as clients that ask ahead expect it: what the answers to all of them would hold is
// not bounded by connections.
function beginNext({ waiting, socket }: ClientConnection): void {
  // Behind an answer that is the last one nobody waits for another.
  if (!socket.writableEnded) waiting.shift()?.();
}

// Of a length that is not told, or too large, nobody knows what is still to come.
function hasOrdinaryBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= MAX_BODY_BYTES;
}

// Nothing came and nothing went for a while. Only who waits for an answer, and has taken what there
// is of it, may go on.
function endStalled(connections: Connections, socket: Socket): void {
  const connection = connections.of(socket);
  const waits = connection && connection.responses.size > 0 && bytesUnread(connection) === 0;
  if (!waits) socket.destroy();
}

/**
 * Ends connections that do not take their answers: each that takes too long, and while all together
 * hold more bytes than they may, those that hold most.
 */
function endUnread(connections: Connections, { unreadBytes, takingMs }: ListenerBounds, now: number): void {
  const holding: { connection: ClientConnection; bytes: number }[] = [];
  let total = 0;
  for (const connection of connections.all()) {
    const bytes = bytesUnread(connection);
    connection.unreadSince = bytes === 0 ? undefined : (connection.unreadSince ?? now);
    if (bytes === 0) continue;
    if (now - (connection.unreadSince ?? now) > takingMs) {
      connection.socket.destroy();
      continue;
    }
    holding.push({ connection, bytes });
    total += bytes;
  }
  if (total <= unreadBytes) return;
  for (const { connection, bytes } of holding.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= unreadBytes) return;
    connection.socket.destroy();
    total -= bytes;
  }
}

/**
 * Bytes that were written to a connection and that its client has not taken, as far as they are
 * ours to keep and not the system's.
 */
function bytesUnread({ socket, responses }: ClientConnection): number {
  let bytes = 0;
  // The first in line has what its connection holds; the others hold their own until it is their
  // turn.
  for (const response of responses) bytes += response.writableLength;
  return Math.max(bytes, socket.writableLength);
}
