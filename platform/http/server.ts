import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerBounds } from './bounds.ts';
import { createConnections, endLingering } from './connections.ts';
import type { ClientConnection, Connections } from './connections.ts';
import { endUnreadable } from './unreadable.ts';
import type { LastWords } from './unreadable.ts';

const SWEEP_MS = 250;
/** Interval of the HTTP server's own checks for slow requests. */
const CHECK_MS = 1_000;
/** A larger body of a refused request is not awaited. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface Serving {
  handle: RequestListener;
  /**
   * Refuses a request beyond the limit of pipelined requests. The connection is closed afterwards.
   */
  rejectExcessRequest: (response: ServerResponse) => void;
  /** Builds the response to unreadable bytes. */
  lastWords: LastWords;
  bounds: ListenerBounds;
}

/**
 * Creates an HTTP server with limits on connections (in total and per address), pipelined requests,
 * times and unread responses (docs/decisions/connections.md).
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
 * Sends `Connection: close` if the response starts before a large body has arrived. Otherwise the
 * client could reuse a connection that is about to end.
 */
function announceEnd(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  const writeLast = (...head: Parameters<typeof writeHead>) => {
    if (!request.complete && !hasOrdinaryBody(request)) {
      response.setHeader('Connection', 'close');
      // The HTTP server would cut the connection while the client may still be sending.
      request.socket.destroySoon = () => endLingering(request.socket);
    }
    return writeHead(...head);
  };
  response.writeHead = writeLast as typeof writeHead;
}

// Starts one request at a time, because connection limits do not bound the size of pipelined
// responses.
function beginNext({ waiting, socket }: ClientConnection): void {
  // Requests after the connection's last response are dropped.
  if (!socket.writableEnded) waiting.shift()?.();
}

// Returns whether the body has a known length within the limit.
function hasOrdinaryBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= MAX_BODY_BYTES;
}

// Ends a connection without traffic, unless its client waits for a response and has read everything
// so far.
function endStalled(connections: Connections, socket: Socket): void {
  const connection = connections.of(socket);
  const waits = connection && connection.responses.size > 0 && bytesUnread(connection) === 0;
  if (!waits) socket.destroy();
}

/**
 * Ends connections with unread responses: connections over the time limit, and the largest while
 * the total exceeds `unreadBytes`.
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
 * Returns the unread bytes that this process buffers. Bytes in the system's buffers do not count.
 */
function bytesUnread({ socket, responses }: ClientConnection): number {
  let bytes = 0;
  // The first response writes to the socket. The other responses buffer their bytes until their
  // turn.
  for (const response of responses) bytes += response.writableLength;
  return Math.max(bytes, socket.writableLength);
}
