import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientConnection, Connections } from './connections.ts';
import { endLingering } from './connections.ts';

/** Why the received bytes are not a request. */
export type Unreadable = 'head_too_large' | 'too_late' | 'malformed' | 'tunnel';

/** Builds the complete response to unreadable bytes, including the status line. */
export type LastWords = (reason: Unreadable) => string;

const REASONS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: 'head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_late',
};

/**
 * Ends a connection whose bytes cannot be parsed, once, after the responses to all earlier
 * requests. This order prevents a response from being matched to another request.
 */
export function endUnreadable(
  connections: Connections,
  { socket, error, lastWords }: { socket: Socket; error: Error & { code?: string }; lastWords: LastWords },
): void {
  const connection = connections.of(socket);
  if (connection?.ended) return;
  // A client that sent nothing would take an error for the response to its first request.
  if (!connection || error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  connection.ended = true;
  const { last } = connection;
  const reason = REASONS[error.code ?? ''] ?? 'malformed';
  if (last && !last.complete) {
    // The failed request is still being handled: its handler gets the error and responds.
    breakOff(last, error);
    afterAnswers(connection, () => endLingering(socket));
  } else afterAnswers(connection, () => endLingering(socket, lastWords(reason)));
}

/** Requests whose bodies cannot be read further. */
const brokenOff = new WeakSet<IncomingMessage>();

/**
 * Returns whether the rest of the request's body will never arrive. For handlers that start reading
 * after the error event.
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
