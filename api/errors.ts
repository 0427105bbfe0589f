import { DomainError, ERROR_CODES, unavailable } from '../domain/errors.ts';
import type { ErrorCode, ErrorDetail } from '../domain/errors.ts';
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
}

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** Maps unknown errors to `internal`, without details. */
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
  retryAfterSeconds,
}: DomainError): ErrorResponse {
  const status = STATUS_BY_CODE[code];
  return {
    status,
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
    body: { message, code, error: { message }, ...(details ? { details } : {}) },
  };
}
