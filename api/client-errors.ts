import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { DomainError } from '../domain/errors.ts';
import type { Unreadable } from '../platform/http/unreadable.ts';
import { buildErrorResponse } from './errors.ts';

/** The status may differ from the code's status. */
interface ProtocolError {
  status: number;
  error: DomainError;
}

const malformed = new DomainError('invalid_request', 'This is not a complete HTTP request.');

const PROTOCOL_ERRORS: Readonly<Record<Unreadable, ProtocolError>> = {
  head_too_large: {
    status: 431,
    error: new DomainError('too_large', 'The address and headers of a request must not exceed 16 KiB.'),
  },
  too_late: { status: 408, error: malformed },
  malformed: { status: 400, error: malformed },
  tunnel: { status: 405, error: new DomainError('method_not_allowed', 'No path supports this method.') },
};

const EXPECTATION: ProtocolError = {
  status: 417,
  error: new DomainError('invalid_request', 'The only known Expect is 100-continue.'),
};

const EXCESS: ProtocolError = {
  status: 429,
  error: new DomainError('rate_limited', 'Too many requests of this connection wait for their answers.', {
    retryAfterSeconds: 1,
  }),
};

/** Formats the response to a request that Node.js would drop or reject without a body (spec 2). */
export function formatProtocolError(reason: Unreadable): string {
  const { status, headers, body } = buildRawResponse(PROTOCOL_ERRORS[reason]);
  const head = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Rejects a request whose connection has too many open requests. */
export function rejectExcessRequest(response: ServerResponse): void {
  respond(response, EXCESS);
}

/** Rejects every `Expect` except 100-continue. */
export function rejectExpectations(server: Server): void {
  server.on('checkExpectation', (_, response: ServerResponse) => respond(response, EXPECTATION));
}

function respond(response: ServerResponse, refusal: ProtocolError): void {
  const { status, headers, body } = buildRawResponse(refusal);
  response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}

function buildRawResponse({ status, error }: ProtocolError) {
  const { headers, body } = buildErrorResponse(error);
  const text = JSON.stringify(body);
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(text)),
      'Cache-Control': 'private, no-cache',
      'X-Request-Id': randomUUID(),
    },
    body: text,
  };
}
