import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createConnections, endLateBodies, endLingering, endUnreadable } from './connections.ts';
import type { ClientConnection, Connections, LastWords, ListenerBounds } from './connections.ts';

const SWEEP_MS = 250;
const CHECK_MS = 1_000;
/** A larger body is not awaited after the response has begun. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface Serving {
  handle: RequestListener;
  rejectExcessRequest: (response: ServerResponse) => void;
  lastWords: LastWords;
  bounds: ListenerBounds;
}

/** See docs/decisions/connections.md. */
export function createBoundedServer({ handle, rejectExcessRequest, lastWords, bounds }: Serving): Server {
  const connections = createConnections(bounds);
  const server = createServer(
    {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.longMs,
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
  const sweep = setInterval(() => {
    const now = performance.now();
    endUnread(connections, bounds, now);
    endLateBodies(connections, { bounds, lastWords, now });
  }, SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
  return server;
}

function trackRequest(
  connection: ClientConnection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  connection.last = request;
  connection.part = { startedAt: performance.now(), bytesBefore: request.socket.bytesRead };
  connection.responses.add(response);
  response.once('close', () => {
    connection.responses.delete(response);
    beginNext(connection);
  });
  announceEnd(request, response);
}

/**
 * Sends `Connection: close` if the response starts before a large or chunked body has arrived, so
 * that the client does not reuse the connection.
 */
function announceEnd(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  const writeLast = (...head: Parameters<typeof writeHead>) => {
    if (!request.complete && !hasOrdinaryBody(request)) {
      response.setHeader('Connection', 'close');
      // Node.js would cut the connection while the client may still be sending.
      request.socket.destroySoon = () => endLingering(request.socket);
    }
    return writeHead(...head);
  };
  response.writeHead = writeLast as typeof writeHead;
}

// Starts one request at a time, because pipelined responses may be large.
function beginNext({ waiting, socket }: ClientConnection): void {
  if (!socket.writableEnded) waiting.shift()?.();
}

function hasOrdinaryBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= MAX_BODY_BYTES;
}

// Keeps a connection whose client waits and has read everything so far.
function endStalled(connections: Connections, socket: Socket): void {
  const connection = connections.of(socket);
  const waits = connection && connection.responses.size > 0 && bytesUnread(connection) === 0;
  if (!waits) socket.destroy();
}

/**
 * Closes connections over `takingMs`, then the connections with most unread bytes while the total
 * exceeds `unreadBytes`.
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

/** Excludes bytes in the system's buffers. */
function bytesUnread({ socket, responses }: ClientConnection): number {
  let bytes = 0;
  // A response buffers its bytes until earlier responses are sent.
  for (const response of responses) bytes += response.writableLength;
  return Math.max(bytes, socket.writableLength);
}
