import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOwner } from './client-address.ts';
import type { Duplex } from 'node:stream';

export interface ListenerBounds {
  connections: number;
  /** Infinity behind proxies, whose clients share one address. */
  connectionsOfAddress: number;
  /** Pipelined requests per connection. */
  unanswered: number;
  /** Bytes of responses, over all connections, that clients have not read. */
  unreadBytes: number;
  /** Time for the headers, from the connection or the previous request on. */
  headersMs: number;
  /** Time to receive a whole body, or a part of `partBytes` of a long body (`allowLongBody`). */
  requestMs: number;
  partBytes: number;
  /** Time to receive a whole request, headers and long body. */
  longMs: number;
  /** Time between requests. */
  idleMs: number;
  /** Time without progress in sending a response. */
  stalledMs: number;
  /** Longest time that a client may have unread bytes. */
  takingMs: number;
}

/** For API clients. */
export const CALLERS: ListenerBounds = {
  connections: 10_000,
  connectionsOfAddress: 500,
  unanswered: 16,
  unreadBytes: 128 * 1024 * 1024,
  headersMs: 20_000,
  requestMs: 60_000,
  partBytes: 512 * 1024,
  longMs: 1_800_000,
  // Longer than proxies keep idle connections: a server that closed first could lose a request.
  idleMs: 75_000,
  stalledMs: 20_000,
  takingMs: 300_000,
};

/** For health probes and metrics. */
export const PROBES: ListenerBounds = {
  ...CALLERS,
  connections: 200,
  connectionsOfAddress: 100,
  unanswered: 8,
  unreadBytes: 16 * 1024 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  takingMs: 30_000,
};

export interface ClientConnection {
  socket: Socket;
  owner: string;
  responses: Set<ServerResponse>;
  /** Pipelined requests. Each starts after the response before it. */
  waiting: (() => void)[];
  last: IncomingMessage | undefined;
  part: BodyPart;
  /** No further request is read. */
  ended: boolean;
  /** Monotonic time since which bytes are unread. */
  unreadSince: number | undefined;
}

/** All connections, least recently active first. */
export interface Connections {
  all: () => Iterable<ClientConnection>;
  of: (socket: Socket) => ClientConnection | undefined;
  /** At a limit, closes a connection without open requests, or else the new connection. */
  add: (socket: Socket) => void;
  stir: (connection: ClientConnection) => void;
}

export function createConnections(
  bounds: Pick<ListenerBounds, 'connections' | 'connectionsOfAddress'>,
): Connections {
  const known = new Map<Socket, ClientConnection>();
  const counts = new Map<string, number>();

  function makeRoom(owner: string): boolean {
    const ofOwner = (counts.get(owner) ?? 0) >= bounds.connectionsOfAddress;
    if (!ofOwner && known.size < bounds.connections) return true;
    for (const connection of known.values()) {
      if (connection.responses.size > 0 || (ofOwner && connection.owner !== owner)) continue;
      forget(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  function forget({ socket, owner }: ClientConnection): void {
    if (!known.delete(socket)) return;
    const left = (counts.get(owner) ?? 0) - 1;
    if (left > 0) counts.set(owner, left);
    else counts.delete(owner);
  }

  return {
    all: () => known.values(),
    of: (socket) => known.get(socket),
    add(socket) {
      const owner = addressOwner(socket.remoteAddress ?? '');
      if (!makeRoom(owner)) {
        socket.destroy();
        return;
      }
      const connection = newConnection(socket, owner);
      known.set(socket, connection);
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
      socket.once('close', () => forget(connection));
    },
    stir(connection) {
      if (known.delete(connection.socket)) known.set(connection.socket, connection);
    },
  };
}

function newConnection(socket: Socket, owner: string): ClientConnection {
  return {
    socket,
    owner,
    responses: new Set(),
    waiting: [],
    last: undefined,
    part: { startedAt: 0, bytesBefore: 0 },
    ended: false,
    unreadSince: undefined,
  };
}

const LINGER_MS = 5_000;
const MAX_LINGER_BYTES = 8 * 1024 * 1024;

/**
 * Ends a connection whose client may still be sending. Closing at once could make the client lose
 * its response, so incoming bytes are discarded for at most 5 s and 8 MiB.
 */
export function endLingering(socket: Duplex, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  let bytes = 0;
  socket.once('close', () => clearTimeout(timer));
  socket.once('error', () => socket.destroy());
  // Detaches the HTTP parser.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_LINGER_BYTES) socket.destroy();
  });
  socket.resume();
  socket.end(lastWords);
}

export type Unreadable = 'head_too_large' | 'too_late' | 'malformed' | 'tunnel';

/** Returns a raw response with its status line. */
export type LastWords = (reason: Unreadable) => string;

const REASONS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_late',
};

/**
 * Ends a connection that sent invalid bytes, after the responses to all earlier requests: clients
 * match responses to requests by order.
 */
export function endUnreadable(
  connections: Connections,
  { socket, error, lastWords }: { socket: Socket; error: Error & { code?: string }; lastWords: LastWords },
): void {
  const connection = connections.of(socket);
  if (connection?.ended) return;
  // A client that sent nothing would take the error for its first response.
  if (!connection || error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  connection.ended = true;
  const { last } = connection;
  const reason = REASONS[error.code ?? ''] ?? 'malformed';
  if (last && !last.complete) {
    // The request's handler responds.
    breakOff(last, error);
    afterAnswers(connection, () => endLingering(socket));
  } else afterAnswers(connection, () => endLingering(socket, lastWords(reason)));
}

export interface BodyPart {
  /** Monotonic milliseconds. */
  startedAt: number;
  bytesBefore: number;
}

const longBodies = new WeakSet<IncomingMessage>();

/** Lets a body take `longMs` while `partBytes` arrive in each `requestMs`. */
export function allowLongBody(request: IncomingMessage): void {
  longBodies.add(request);
}

/** Returns null if the body is late. It is not late while the service does not read it. */
export function findBodyPart(
  part: BodyPart,
  arrived: { now: number; bytes: number; isLong: boolean; isUnread: boolean },
  { requestMs, partBytes }: Pick<ListenerBounds, 'requestMs' | 'partBytes'>,
): BodyPart | null {
  const { now, bytes, isLong, isUnread } = arrived;
  if (now - part.startedAt < requestMs) return part;
  const isProgress = isUnread || bytes - part.bytesBefore >= partBytes;
  return isLong && isProgress ? { startedAt: now, bytesBefore: bytes } : null;
}

export function endLateBodies(
  connections: Connections,
  { bounds, lastWords, now }: { bounds: ListenerBounds; lastWords: LastWords; now: number },
): void {
  for (const connection of connections.all()) {
    const { last, part, socket, ended } = connection;
    if (!last || last.complete || ended) continue;
    const isUnread = last.readableLength >= last.readableHighWaterMark;
    const arrived = { now, bytes: socket.bytesRead, isLong: longBodies.has(last), isUnread };
    const next = findBodyPart(part, arrived, bounds);
    if (next) connection.part = next;
    else endUnreadable(connections, { socket, error: lateError(), lastWords });
  }
}

function lateError(): Error & { code: string } {
  return Object.assign(new Error('The body is late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

const brokenOff = new WeakSet<IncomingMessage>();

/** Returns whether the request broke off. Its `error` event may have passed unnoticed. */
export function isBrokenOff(request: IncomingMessage): boolean {
  return brokenOff.has(request);
}

function breakOff(request: IncomingMessage, error: Error): void {
  brokenOff.add(request);
  if (request.listenerCount('error') > 0) request.emit('error', error);
}

function afterAnswers(connection: ClientConnection, end: () => void): void {
  const [first] = connection.responses;
  if (first) first.once('close', () => afterAnswers(connection, end));
  else end();
}
