import type { Dispatcher } from 'undici';
import type { AttemptOutcome } from '../../domain/delivery/delivery.ts';
import { ENDLESS, LOGGED_BYTES, REPLY_STATUSES, isClosedUnderRequest, mayBeginReply } from './answer.ts';
import type { RawAnswer } from './answer.ts';
import { PrivateAddressError, SMALL_PIECES } from './connector.ts';
import type { Reads } from './connector.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { parseTarget } from './address.ts';
import { blankTokens } from './blank-tokens.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMED_OUT = new Error('The exchange timed out.');

export interface Exchange {
  outcome: AttemptOutcome;
  durationMs: number;
  status?: number;
  answer?: RawAnswer;
  /** Target of a redirect, without secrets. */
  redirectsTo?: string | undefined;
  /** 2 if repeated, because a kept connection had closed. */
  requests?: number;
  retryAfterSeconds?: number | undefined;
  /** Cause of a missing response, without urls. */
  reason?: string;
  isUnreadable?: true;
}

export interface ExchangeRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  now: () => number;
  signal?: AbortSignal | undefined;
  /** A repeated request would have its effect twice. */
  isOnce?: boolean;
  /** Awaited before more than 16 KiB of a possible reply are read. Without it, 16 KiB are read. */
  awaitTurn?: AwaitTurn | undefined;
  reads?: Reads | undefined;
}

export type AwaitTurn = (signal: AbortSignal) => Promise<void>;

/** `fresh`: one request per connection. */
export interface Dispatchers {
  kept: Dispatcher;
  fresh: Dispatcher;
}

/**
 * Makes one request, follows no redirect, and reads 16 KiB of the response, or 1 MiB of a possible
 * reply. If a kept connection closes before the first byte of the response, repeats the request
 * once over a new connection, unless `isOnce`. Rejects only when `signal` aborts it.
 */
export async function exchange(dispatchers: Dispatchers, request: ExchangeRequest): Promise<Exchange> {
  const { timeoutMs, signal } = request;
  const startedAt = performance.now();
  // AbortSignal.any would leak (lane.ts).
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(TIMED_OUT), timeoutMs);
  const cutOff = () => end.abort();
  signal?.addEventListener('abort', cutOff);
  let repeated = {};
  const ended = (how: Omit<Exchange, 'durationMs'>) => ({
    ...how,
    ...repeated,
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    signal?.throwIfAborted();
    const first = sendRequest(dispatchers.kept, request, end.signal);
    return ended(
      await first.catch((error: unknown) => {
        if (request.isOnce || !isClosedUnderRequest(error) || end.signal.aborted) throw error;
        repeated = { requests: 2 };
        return sendRequest(dispatchers.fresh, request, end.signal);
      }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    return ended(toFailure(error, end.signal.reason === TIMED_OUT ? timeoutMs : null));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cutOff);
  }
}

async function sendRequest(
  dispatcher: Dispatcher,
  { url, method, headers, body, now, awaitTurn, reads }: ExchangeRequest,
  signal: AbortSignal,
): Promise<Omit<Exchange, 'durationMs'>> {
  const { origin, path, authorization } = parseTarget(url);
  const response = await dispatcher.request({
    origin,
    path,
    method,
    headers: { ...headers, ...definedFields({ authorization }) },
    body: body ?? null,
    signal,
    opaque: reads,
  });
  const { statusCode: status } = response;
  const contentType = joinHeader(response.headers['content-type']);
  const contentEncoding = joinHeader(response.headers['content-encoding']);
  const read = await readBytes(response.body, async (first) => {
    if (!awaitTurn || !REPLY_STATUSES.includes(status)) return false;
    if (!mayBeginReply({ bytes: first, contentType, contentEncoding })) return false;
    await awaitTurn(signal);
    return true;
  });
  const isRedirect = status >= 300 && status < 400;
  return {
    outcome: status >= 200 && status < 300 ? 'delivered' : 'rejected',
    status,
    answer: { ...read, contentType, contentEncoding },
    redirectsTo: isRedirect ? redirectTarget(joinHeader(response.headers['location']), url) : undefined,
    retryAfterSeconds: parseRetryAfter(response.headers['retry-after'], now),
  };
}

/** `readOn` decides from the first bytes whether more than 16 KiB are read. */
async function readBytes(
  body: AsyncIterable<Buffer>,
  readOn: (first: Buffer) => Promise<boolean>,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let max = LOGGED_BYTES;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    const isFull = size > LOGGED_BYTES && max === LOGGED_BYTES;
    if (isFull && (await readOn(Buffer.concat(chunks)))) max = MAX_ANSWER_BYTES;
    if (size > max) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, max), isCut: size > max };
}

function joinHeader(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : [header].flat().join(', ');
}

function parseRetryAfter(header: string | string[] | undefined, now: () => number): number | undefined {
  const text = [header].flat()[0]?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now()) / 1000);
}

function toFailure(error: unknown, timedOutAfterMs: number | null): Omit<Exchange, 'durationMs'> {
  if (timedOutAfterMs !== null) {
    return { outcome: 'timed_out', reason: `No complete response within ${timedOutAfterMs} ms.` };
  }
  if (error instanceof PrivateAddressError) return { outcome: 'private_address', reason: error.message };
  const { name, code, cause } = (error ?? {}) as Error & { code?: unknown };
  const codes = [name, code, (cause as { code?: unknown } | undefined)?.code];
  const isUnreadable = codes.some((one) => UNREADABLE.has(one));
  return { outcome: 'unreachable', reason: describeError(error), ...(isUnreadable && { isUnreadable }) };
}

const UNREADABLE = new Set<unknown>(['HTTPParserError', 'UND_ERR_HEADERS_OVERFLOW', SMALL_PIECES, ENDLESS]);

const TLS_WORDS: Record<string, string> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'This port does not use TLS: use http:// or the port for https.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'This port does not use TLS: use http:// or the port for https.',
  ERR_SSL_HTTP_REQUEST: 'This port does not use TLS: use http:// or the port for https.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is from an unknown authority (self-signed root).',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate is from an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate is from an unknown authority, or the server does not send its intermediate certificates.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate is from an unknown authority, or the server does not send its intermediate certificates.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
  HOSTNAME_MISMATCH: 'The certificate is for another host name.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  CERT_REVOKED: 'The certificate is revoked.',
};

/** Unlisted system codes, such as ECONNREFUSED, are shown unchanged. */
const WORDS: Record<string, string> = {
  ...TLS_WORDS,
  UND_ERR_SOCKET: 'The connection was closed before the response was complete.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large.',
  [SMALL_PIECES]: 'The response comes in too many small pieces.',
  [ENDLESS]: 'The response does not end.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The length of the response differs from its Content-Length.',
};

// System messages may contain addresses, so they are not shown.
export function describeError(error: unknown): string {
  const { name, code, cause, errors, library, reason } = (error ?? {}) as Error & Record<string, unknown>;
  if (name === 'HTTPParserError') return 'The response is not HTTP.';
  const words = typeof code === 'string' ? (WORDS[code] ?? code) : undefined;
  if (words !== undefined && !/^(UND_)?ERR_/.test(words)) return words;
  if (library === 'SSL routines' && typeof reason === 'string') return `TLS failed: ${reason}.`;
  const inner = cause ?? [errors].flat()[0];
  return inner ? describeError(inner) : 'The request failed.';
}

export function describeFailure({ status, redirectsTo, reason }: Exchange): string | undefined {
  if (redirectsTo === undefined) return reason;
  return `It responded with ${status} to ${redirectsTo}: redirects are not followed.`;
}

const MAX_CHARACTERS = 200;

/** Returns the target without credentials, query and fragment, which may be secret. */
function redirectTarget(location: string | undefined, url: string): string | undefined {
  const given = location?.trim();
  if (!given || !URL.canParse(given, url)) return undefined;
  const { protocol, host, pathname, search } = new URL(given, url);
  const address = host === '' ? protocol : `${protocol}//${host}/${blankTokens(pathname.slice(1))}`;
  const shown = `${address}${search === '' ? '' : '?…'}`;
  return shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS - 1)}…` : shown;
}
