import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { DomainError, ERROR_CODES, unavailable } from '../domain/errors.ts';
import type { ConflictingRecord, ErrorCode, ErrorDetail } from '../domain/errors.ts';
import type { Unreadable } from '../platform/http/connections.ts';
import { definedFields } from '../domain/record-fields.ts';
import { isOutage } from '../store/connection/outage.ts';

/** See spec 2.4. */
const STATUS_BY_CODE: Record<ErrorCode, number> = {
  invalid_request: 400,
  invalid_json: 400,
  unauthenticated: 401,
  otp_required: 401,
  forbidden: 403,
  token_expired: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  no_address: 422,
  opted_out: 422,
  unreachable: 422,
  rate_limited: 429,
  login_locked: 429,
  bot_loop_identical: 429,
  bot_loop_consecutive: 429,
  internal: 500,
  unavailable: 503,
  paused: 503,
};

/** See spec 2.4. */
export interface ErrorBody {
  message: string;
  code: ErrorCode;
  error: { message: string };
  details?: ErrorDetail[];
  conflict?: ConflictingRecord;
}

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isOutage(error)) return unavailable();
  return new DomainError('internal', 'An unexpected error occurred.');
}

export function getErrorCodes(status: number): ErrorCode[] {
  return ERROR_CODES.filter((code) => STATUS_BY_CODE[code] === status);
}

export function buildErrorResponse({
  code,
  message,
  details,
  conflict,
  retryAfterSeconds,
}: DomainError): ErrorResponse {
  const status = STATUS_BY_CODE[code];
  return {
    status,
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
    body: { message, code, error: { message }, ...definedFields({ details, conflict }) },
  };
}

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

/** Formats the response to a request that Node.js cannot read (spec 2). */
export function formatProtocolError(reason: Unreadable): string {
  const { status, headers, body } = buildRawResponse(PROTOCOL_ERRORS[reason]);
  const head = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

export function rejectExcessRequest(response: ServerResponse): void {
  respond(response, EXCESS);
}

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
