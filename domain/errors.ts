/** One problem in a request. `path` is dotted: `messages.0.text`. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** See spec 2.4. */
export const ERROR_CODES = [
  'invalid_request',
  'invalid_json',
  'unauthenticated',
  'otp_required',
  'forbidden',
  'token_expired',
  'not_found',
  'method_not_allowed',
  'conflict',
  'precondition_failed',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
  'no_address',
  'opted_out',
  'unreachable',
  'rate_limited',
  'login_locked',
  'bot_loop_identical',
  'bot_loop_consecutive',
  'unavailable',
  'paused',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The record that has a unique value (spec 2.4). Name only a record that the caller may see. */
export interface ConflictingRecord {
  /** As in paths: `contacts`. */
  resource: string;
  id: string;
}

export interface ErrorExtras {
  details?: ErrorDetail[] | undefined;
  conflict?: ConflictingRecord | undefined;
  /** Seconds until a retry may succeed (`Retry-After`). */
  retryAfterSeconds?: number | undefined;
}

/** Longer texts are truncated, because they may quote keys as long as the body. */
const MAX_WORDS = 1_000;

/** An error for the caller, without internals. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly conflict: ConflictingRecord | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(truncate(message));
    this.code = code;
    this.details = extras.details?.map((detail) => ({
      path: truncate(detail.path),
      message: truncate(detail.message),
    }));
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.conflict = extras.conflict;
  }
}

function truncate(words: string): string {
  if (words.length <= MAX_WORDS) return words;
  // Do not split a surrogate pair.
  return `${words.slice(0, MAX_WORDS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The request did not cause these errors. */
const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set(['unavailable', 'paused', 'internal']);

/** A guess: operators resume by hand. */
const PAUSED_RETRY_SECONDS = 5;

export function invalidRequest(path: string, rule: string): DomainError {
  return new DomainError('invalid_request', `${path}: ${rule}`, { details: [{ path, message: rule }] });
}

/** Returns a 422 error: fields conflict with each other or with the stored state. */
export function unprocessable(message: string, path?: string): DomainError {
  return path === undefined
    ? new DomainError('unprocessable', message)
    : new DomainError('unprocessable', `${path}: ${message}`, { details: [{ path, message }] });
}

/** Returns the same 404 error for missing and hidden records (spec 2.4). */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `${what} does not exist.`);
}

/** Returns a 403 error for an organization outside the caller's reach, existing or not. */
export function notWithinReach(path: string): DomainError {
  const message =
    'does not exist or is not yours; leave the field out for your own organization, or name an organization below it';
  return new DomainError('forbidden', `${path}: ${message}`, { details: [{ path, message }] });
}

export function preconditionFailed(): DomainError {
  return new DomainError('precondition_failed', 'The record has changed: no tag in If-Match is current.');
}

export function unavailable(): DomainError {
  return new DomainError('unavailable', 'The service is not available right now. Please try again.', {
    retryAfterSeconds: 1,
  });
}

/** See spec 11.4. */
export function pausedByOperator(): DomainError {
  return new DomainError(
    'paused',
    'An operator has paused this conversation. Please try again when it is resumed.',
    { retryAfterSeconds: PAUSED_RETRY_SECONDS },
  );
}

export function isPaused(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'paused';
}

/** Runs `work` and prefixes the path of a DomainError, as in `messages.2: …`. */
export function withinPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? prefixPath(error, path) : error;
  }
}

export function withinMessage<T>(at: number, count: number, work: () => T): T {
  return count > 1 ? withinPath(`messages.${at}`, work) : work();
}

function prefixPath(error: DomainError, path: string): DomainError {
  const { code, message, details, retryAfterSeconds, conflict } = error;
  return new DomainError(code, `${path}: ${message}`, {
    details: details?.map((detail) => ({ ...detail, path: `${path}.${detail.path}` })) ?? [{ path, message }],
    retryAfterSeconds,
    conflict,
  });
}

/** Returns whether the request was refused and had no effect. */
export function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && !TRANSIENT_CODES.has(error.code);
}
