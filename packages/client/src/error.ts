/** What is known of a refusal besides its words. */
export interface ErrorFields {
  status: number;
  code: string;
  details?: { path: string; message: string }[];
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/**
 * A call that was refused or could not be made. `code` is of the API's closed list (spec 2.4), or
 * `unreachable` (status 0: no answer came) or `bad_signature` (status 401: not a webhook of
 * Parlance).
 */
export class ParlanceError extends Error {
  override readonly name = 'ParlanceError';
  /** The HTTP status, or 0 where there was no answer. */
  readonly status: number;
  readonly code: string;
  /** Which fields are wrong, and why. */
  readonly details: { path: string; message: string }[];
  /** What the answer's `X-Request-Id` was: it finds the request in the log of Parlance. */
  readonly requestId: string | undefined;
  /** How long Parlance asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    { status, code, details = [], requestId, retryAfterSeconds }: ErrorFields,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The refusal that an answer is. */
export function toParlanceError({ status, headers }: Pick<Response, 'status' | 'headers'>, text: string) {
  const body = parseErrorBody(text);
  const retryAfter = Number(headers.get('retry-after') ?? NaN);
  return new ParlanceError(body?.message ?? `Parlance answered ${status}.`, {
    status,
    code: body?.code ?? (status >= 500 ? 'unavailable' : 'refused'),
    ...(body?.details ? { details: body.details } : {}),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** No answer came. */
export function unreachableError(url: string, cause: unknown): ParlanceError {
  const why = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : '';
  return new ParlanceError(
    `No answer from ${new URL(url).origin}${why && `: ${why}`}`,
    { status: 0, code: 'unreachable' },
    { cause },
  );
}

function parseErrorBody(text: string): Partial<ErrorFields & { message: string }> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A proxy's page is no answer of Parlance.
    return undefined;
  }
}
