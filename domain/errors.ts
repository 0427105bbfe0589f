/** One problem of one place in a request body. `path` is dotted: `messages.0.text`. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * The closed list of error codes (spec 2.4). What a code means in HTTP is decided in one table,
 * `api/errors.ts`; code never decides by message text.
 */
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
  'rate_limited',
  'login_locked',
  'bot_loop_identical',
  'bot_loop_consecutive',
  'unavailable',
  'paused',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What may accompany a refusal besides its code and words. */
export interface ErrorExtras {
  details?: ErrorDetail[];
  /** Seconds until the same request may succeed; becomes `Retry-After`. */
  retryAfterSeconds?: number;
}

/** Characters of a sentence that may repeat what a caller sent: a key can be as long as a body. */
const MAX_WORDS = 1_000;

/**
 * A refusal that the caller can understand and mend. `message` is written for the caller: no
 * internals. What is over 1,000 characters is cut.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(truncate(message));
    this.code = code;
    this.details = extras.details?.map((detail) => ({
      path: truncate(detail.path),
      message: truncate(detail.message),
    }));
    this.retryAfterSeconds = extras.retryAfterSeconds;
  }
}

function truncate(words: string): string {
  if (words.length <= MAX_WORDS) return words;
  // Never between the two halves of a character.
  return `${words.slice(0, MAX_WORDS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** What may work later without anybody changing the request. */
const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set(['unavailable', 'paused', 'internal']);

/** People pause and unpause: somebody who asks again every few seconds is soon enough. */
const PAUSED_RETRY_SECONDS = 5;

/**
 * A field that is wrong by itself: 400. The message begins with the path, so that it can be read
 * alone.
 */
export function invalidRequest(path: string, rule: string): DomainError {
  return new DomainError('invalid_request', `${path}: ${rule}`, { details: [{ path, message: rule }] });
}

/**
 * Fields that are valid by themselves but make no sense together or against what is stored: 422.
 */
export function unprocessable(message: string, path?: string): DomainError {
  return path === undefined
    ? new DomainError('unprocessable', message)
    : new DomainError('unprocessable', `${path}: ${message}`, { details: [{ path, message }] });
}

/**
 * What there is not, or is not the caller's to see: the two look the same (spec 2.4). `what` as in
 * "The conversation".
 */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `${what} does not exist.`);
}

/**
 * The refusal of an organization that is not within the caller's reach, whether or not there is
 * such a one.
 */
export function notWithinReach(path: string): DomainError {
  const message = 'does not exist or is not yours; leave it out for your own, or name one below it';
  return new DomainError('forbidden', `${path}: ${message}`, { details: [{ path, message }] });
}

/** The record is not any more as the caller saw it (spec 2.4, `If-Match`). */
export function preconditionFailed(): DomainError {
  return new DomainError(
    'precondition_failed',
    'The record has changed: If-Match names no tag that it has now.',
  );
}

/** What could not be done in time or at the moment; the caller may try again. */
export function unavailable(): DomainError {
  return new DomainError('unavailable', 'The service is not available right now. Please try again.', {
    retryAfterSeconds: 1,
  });
}

/** An operator has paused the conversation in Temporal (spec 11.4); it goes on when they say so. */
export function pausedByOperator(): DomainError {
  return new DomainError(
    'paused',
    'An operator has paused this conversation. Please try again once it goes on.',
    { retryAfterSeconds: PAUSED_RETRY_SECONDS },
  );
}

/** Whether it was refused because an operator has paused the conversation. */
export function isPaused(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'paused';
}

/**
 * Runs the work; a DomainError it throws is thrown again saying where it happened: `messages.2: …`.
 * Code and time to wait stay what they were.
 */
export function withinPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? prefixPath(error, path) : error;
  }
}

/** The same for message number `at` of `count`. A request with one message has no such path. */
export function withinMessage<T>(at: number, count: number, work: () => T): T {
  return count > 1 ? withinPath(`messages.${at}`, work) : work();
}

function prefixPath({ code, message, details, retryAfterSeconds }: DomainError, path: string): DomainError {
  return new DomainError(code, `${path}: ${message}`, {
    details: details?.map((detail) => ({ ...detail, path: `${path}.${detail.path}` })) ?? [{ path, message }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/**
 * Whether the rules refused it, for good, so that nothing has happened; else something was out of
 * order, and it may work later.
 */
export function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && !TRANSIENT_CODES.has(error.code);
}
