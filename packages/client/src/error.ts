type ErrorFields = Pick<ParlanceError, 'status' | 'code'> &
  Partial<Pick<ParlanceError, 'conflict' | 'requestId' | 'retryAfterSeconds'>> & {
    details?: ParlanceError['details'] | undefined;
  };

/**
 * Refused or failed call. `code` is from spec 2.4, or `unreachable` (status 0), `refused` (by a
 * proxy) or `bad_signature` (status 401, not signed by Parlance).
 */
export class ParlanceError extends Error {
  override readonly name = 'ParlanceError';
  declare readonly status: number;
  declare readonly code: string;
  declare readonly details: { path: string; message: string }[];
  /** The record that has the value of a refused change (status 409), if the caller may see it. */
  declare readonly conflict: { resource: string; id: string } | undefined;
  /** Identifies the call in the log of Parlance. */
  declare readonly requestId: string | undefined;
  declare readonly retryAfterSeconds: number | undefined;

  constructor(message: string, fields: ErrorFields, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, fields, { details: fields.details ?? [] });
  }

  /** Whether a repeated call may succeed. */
  get isTransient(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

export function toParlanceError({ status, headers }: Pick<Response, 'status' | 'headers'>, text: string) {
  const body = parseErrorBody(text);
  const retryAfter = Number(headers.get('retry-after') ?? NaN);
  return new ParlanceError(body?.message ?? `Parlance answered ${status}.`, {
    status,
    code: body?.code ?? (status >= 500 ? 'unavailable' : 'refused'),
    details: body?.details,
    conflict: body?.conflict,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

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
    // The page of a proxy is not a response of Parlance.
    return undefined;
  }
}
