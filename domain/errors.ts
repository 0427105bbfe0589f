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
