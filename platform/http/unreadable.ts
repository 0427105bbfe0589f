import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientConnection, Connections } from './connections.ts';
import { endLingering } from './connections.ts';

/** Why what came is no request that could be answered in the usual way. */
export type Unreadable = 'head_too_large' | 'too_late' | 'malformed' | 'tunnel';

/** The whole answer to what cannot be read, status line and all. */
export type LastWords = (reason: Unreadable) => string;

const REASONS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_late',
};

/**
 * Ends a connection whose bytes cannot be read on, once, and after the answers to all that was read
 * before: an answer must never be taken for that of another request.
 */
export function endUnreadable(
  connections: Connections,
  { socket, error, lastWords }: { socket: Socket; error: Error & { code?: string }; lastWords: LastWords },
): void {
  const connection = connections.of(socket);
  if (connection?.ended) return;
  // A client that never sent anything waits for no answer, and would take it for that of its first
  // request.
  if (!connection || error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  connection.ended = true;
  const { last } = connection;
  const reason = REASONS[error.code ?? ''] ?? 'malformed';
  if (last && !last.complete) {
    // It is this one that cannot be read on: whoever reads its body answers it.
    breakOff(last, error);
    afterAnswers(connection, () => endLingering(socket));
  } else afterAnswers(connection, () => endLingering(socket, lastWords(reason)));
}

/** Requests whose bodies cannot be read on. */
const brokenOff = new WeakSet<IncomingMessage>();

/**
 * Whether the rest of a request's body will never come: said to who begins to read it later than
 * that was known.
 */
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
