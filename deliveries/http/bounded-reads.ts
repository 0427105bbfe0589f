import { Socket } from 'node:net';

/**
 * An answer's body is read up to 1 MiB; with what carries it (chunks, headers, trailers) it may be
 * this much.
 */
const MAX_ANSWER_ON_THE_WIRE = 2 * 1024 * 1024;
/**
 * The HTTP parser reads to the end what it is given at once, also after it has found the headers
 * too large: at a great cost for each of them.
 */
const MAX_READ_BYTES = 1024;

/** The code of the error that an answer ends with which never comes to an end. */
export const ENDLESS = 'ENDLESS_ANSWER';

/**
 * Has a connection give what it received in small parts, and ends it when one request is answered
 * with more than any answer needs, whatever that consists of: the parser throws much away that
 * nobody would ever count.
 */
export function boundReads<S extends Socket>(socket: S): S {
  let asked = 0;
  let received = 0;
  let earlier = 0;
  socket.read = (size?: number): unknown => {
    // The parser asks for what has arrived to the end, also where it has ended the connection.
    if (socket.destroyed) return null;
    // What was written since belongs to the next request.
    if (socket.bytesWritten !== asked) {
      earlier += received;
      received = 0;
    }
    asked = socket.bytesWritten;
    const most = size ?? Math.min(socket.readableLength, MAX_READ_BYTES);
    const chunk: unknown = Socket.prototype.read.call(socket, most || undefined);
    if (Buffer.isBuffer(chunk)) received += chunk.length;
    if (received > MAX_ANSWER_ON_THE_WIRE) socket.destroy(endlessAnswerError());
    return chunk;
  };
  // Before the HTTP client's own listener, which rejects the request.
  socket.prependListener('error', (error) => {
    const isRead = socket.bytesWritten === asked;
    const [answered, before] = isRead ? [received, earlier] : [0, earlier + received];
    if (answered === 0 && before > 0) closedUnderRequests.add(error);
  });
  return socket;
}

/** Errors of connections that had answered before, and closed without a byte for a request. */
const closedUnderRequests = new WeakSet();

/**
 * Whether a connection that was used before closed under a request, without any byte of an answer:
 * receivers close idle connections when they like, also while a request is on its way.
 */
export function isClosedUnderRequest(error: unknown): boolean {
  return error instanceof Error && closedUnderRequests.has(error);
}

function endlessAnswerError(): Error {
  return Object.assign(new Error('The answer does not come to an end.'), { code: ENDLESS });
}
