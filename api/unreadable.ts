import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '../domain/errors.ts';
import { errorAnswer } from './errors.ts';

/** Refuses in the same shape as everything else what the HTTP server itself would refuse without a body, or drop (contract 2). */
export function refuseUnreadables(server: Server): void {
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', ({ socket }) =>
    refuse(socket, 417, new DomainError('invalid_request', 'The only known Expect is 100-continue.')),
  );
  server.on('connect', (_, socket) =>
    refuse(socket, 405, new DomainError('method_not_allowed', 'No path knows the method.')),
  );
}

function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The address and headers of a request must not exceed 16 KiB.';
    refuse(socket, 431, new DomainError('too_large', message));
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  refuse(socket, status, new DomainError('invalid_request', 'This is not a complete HTTP request.'));
}

// Nothing more is read from it: what follows may belong to the request that is refused.
function refuse(socket: Duplex, status: number, refusal: DomainError): void {
  const text = JSON.stringify(errorAnswer(refusal).body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Cache-Control: private, no-cache',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
