import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerBounds } from './bounds.ts';
import { addressOwner } from './client-address.ts';
import type { Duplex } from 'node:stream';

/** One connection, and the answers that it has not taken yet. */
export interface ClientConnection {
  socket: Socket;
  owner: string;
  responses: Set<ServerResponse>;
  /** What is begun when the answer before it was taken: one request at a time. */
  waiting: (() => void)[];
  /** The request that came last. */
  last: IncomingMessage | undefined;
  /** Nothing more is read of it. */
  ended: boolean;
  /** Since when it has not taken all it was answered, in milliseconds of the monotonic clock. */
  unreadSince: number | undefined;
}

/** The connections of a listener, those that have been quiet for longest first. */
export interface Connections {
  all: () => Iterable<ClientConnection>;
  of: (socket: Socket) => ClientConnection | undefined;
  /**
   * Takes a new one in; where there are too many, one without a request under way makes room, else
   * the new one is ended.
   */
  add: (socket: Socket) => void;
  /** It was asked something just now. */
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
 * Ends a connection whose client may be sending still: what it was answered goes out, what it sends
 * is thrown away without being read, for at most 5 s and 8 MiB. A client that cannot finish sending
 * never reads its answer, and one whose connection is cut may lose it.
 */
export function endLingering(socket: Duplex, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  let bytes = 0;
  socket.once('close', () => clearTimeout(timer));
  socket.once('error', () => socket.destroy());
  // A listener of our own takes the connection from the HTTP parser.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_LINGER_BYTES) socket.destroy();
  });
  socket.resume();
  socket.end(lastWords);
}
