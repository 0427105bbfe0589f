import type { ListenerBounds } from './bounds.ts';
import type { ClientConnection, Connections } from './connections.ts';

/**
 * Ends connections that do not take their answers: each that takes too long, and while all together
 * hold more bytes than they may, those that hold most.
 */
export function endUnread(
  connections: Connections,
  { unreadBytes, takingMs }: ListenerBounds,
  now: number,
): void {
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
export function bytesUnread({ socket, responses }: ClientConnection): number {
  let bytes = 0;
  // The first in line has what its connection holds; the others hold their own until it is their
  // turn.
  for (const response of responses) bytes += response.writableLength;
  return Math.max(bytes, socket.writableLength);
}
