import type { Duplex } from 'node:stream';

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
