import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerBounds } from './bounds.ts';
import { addressOwner } from './client-address.ts';
import type { Duplex } from 'node:stream';

/** A client connection with its open responses. */
export interface ClientConnection {
  socket: Socket;
  owner: string;
  responses: Set<ServerResponse>;
  /** Pipelined requests, each started when the response before it has been read. */
  waiting: (() => void)[];
  last: IncomingMessage | undefined;
  /** No more requests are read from the connection. */
  ended: boolean;
  /**
   * Start of the current span with unread response bytes, in milliseconds of the monotonic clock.
   */
  unreadSince: number | undefined;
}

/** Connections of a listener, least recently active first. */
export interface Connections {
  all: () => Iterable<ClientConnection>;
  of: (socket: Socket) => ClientConnection | undefined;
  /**
   * Adds a connection. At a limit, closes a connection without open requests, or else the new
   * connection.
   */
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
    ended: false,
    unreadSince: undefined,
  };
}

const LINGER_MS = 5_000;
const MAX_LINGER_BYTES = 8 * 1024 * 1024;

/**
 * Ends a connection whose client may still be sending. Flushes the response and discards incoming
 * bytes for at most 5 s and 8 MiB. Closing at once could make the client lose its response.
 */
export function endLingering(socket: Duplex, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  let bytes = 0;
  socket.once('close', () => clearTimeout(timer));
  socket.once('error', () => socket.destroy());
  // Detaches the HTTP parser from the socket.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_LINGER_BYTES) socket.destroy();
  });
  socket.resume();
  socket.end(lastWords);
}
