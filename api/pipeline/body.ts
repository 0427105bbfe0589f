import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { DomainError, unavailable } from '../../domain/errors.ts';
import { isBrokenOff } from '../../platform/http/connections.ts';
import type { BodyType } from '../route.ts';
import { MERGE_PATCH_TYPE } from './merge-patch.ts';
import { findCharset, decodeText, detectBomCharset } from '../../domain/charset.ts';

const MAX_BYTES = 1024 * 1024;
/** Newline-delimited JSON (spec 2.11). */
export const LINES_TYPE = 'application/x-ndjson';
const MAX_LINES_BYTES = 8 * 1024 * 1024;

/**
 * A chunk costs as much as 10 kB of body. Above this count, chunks must average at least
 * SMALL_BYTES.
 */
const MAX_SMALL_PIECES = 4096;
const SMALL_BYTES = 64;

interface ExpectedBody {
  type: BodyType;
  /** Rejects other charsets, whose decoding costs more. */
  isOnlyUtf8: boolean;
}

/**
 * Throws DomainError `invalid_json`, `unsupported_media_type` or, above 1 MiB (of lines 8 MiB),
 * `too_large` (spec 2.1).
 */
export async function readBody(ctx: Context, { type: expected, isOnlyUtf8 }: ExpectedBody): Promise<string> {
  if (!hasBody(ctx)) throw missingBodyError();
  const { type, charset } = parseMediaType(ctx.get('Content-Type'));
  const isMergePatch = ctx.method === 'PATCH' && type === MERGE_PATCH_TYPE;
  const isAlike = expected === 'application/json' && isJsonType(type) && (isMergePatch || !isByCookie(ctx));
  if (type !== expected && !isAlike) throw mediaTypeError(expected);
  const bytes = await receiveBody(ctx, expected === LINES_TYPE ? MAX_LINES_BYTES : MAX_BYTES);
  const detected = detectCharset(bytes, charset);
  if (!isOnlyUtf8 || detected === 'utf-8') return decodeWithCharset(bytes, detected);
  if (isUtf8(bytes) && !detected.startsWith('utf-16')) return decodeWithCharset(bytes);
  const said = 'The body must be UTF-8, because the request needs no token.';
  throw new DomainError('unsupported_media_type', said);
}

export function hasBody(ctx: Context): boolean {
  return ctx.is('*/*') !== null && ctx.request.length !== 0;
}

/**
 * Returns whether a cookie may authenticate the request. Such a request needs the exact media type:
 * a form of another site can send `text/plain`.
 */
export function isByCookie(ctx: Context): boolean {
  return ctx.get('Cookie') !== '' && ctx.get('Authorization') === '';
}

/** Throws DomainError `unsupported_media_type` if compressed, `too_large` above `maxBytes`. */
export async function receiveBody(ctx: Context, maxBytes = MAX_BYTES): Promise<Buffer> {
  assertUncompressed(ctx);
  return readBytes(ctx.req, ctx.request.length, maxBytes);
}

export function assertUncompressed(ctx: Context): void {
  if (['', 'identity'].includes(ctx.get('Content-Encoding'))) return;
  ctx.set('Accept-Encoding', 'identity');
  const said = 'The body must be sent without Content-Encoding: send it uncompressed.';
  throw new DomainError('unsupported_media_type', said);
}

export function missingBodyError(): DomainError {
  return new DomainError('invalid_json', 'The request needs a body.');
}

export function mediaTypeError(...types: string[]): DomainError {
  return new DomainError(
    'unsupported_media_type',
    `The body must be sent with Content-Type: ${types.join(' or ')}.`,
  );
}

// Discards the rest of a rejected body: a client that is still sending never reads the response.
function readBytes(
  stream: IncomingMessage,
  announced: number | undefined,
  maxBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const rejectBody = (error: DomainError) => {
      stream.removeAllListeners('data').resume();
      pieces.length = 0;
      arrival.end();
      reject(error);
    };
    const arrival = createUploadBudget(() => rejectBody(unavailable()));
    // The client interrupted the upload, so the status is 4xx.
    const incomplete = () => rejectBody(new DomainError('invalid_json', 'The body is incomplete.'));
    stream.once('error', incomplete);
    stream.once('close', () => {
      if (!stream.readableEnded) incomplete();
    });
    stream.once('end', () => {
      arrival.end();
      resolve(Buffer.concat(pieces));
    });
    if (isBrokenOff(stream)) incomplete();
    if (announced !== undefined && announced > maxBytes) {
      rejectBody(tooLargeError(maxBytes));
      return;
    }
    stream.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > maxBytes) rejectBody(tooLargeError(maxBytes));
      else if (pieces.length > MAX_SMALL_PIECES && bytes < pieces.length * SMALL_BYTES)
        rejectBody(fragmentedError());
      else arrival.add(piece.length);
    });
  });
}

function tooLargeError(maxBytes: number): DomainError {
  return new DomainError('too_large', `The body must not exceed ${maxBytes / 1024 / 1024} MiB.`);
}

function fragmentedError(): DomainError {
  return new DomainError('invalid_request', 'The body is sent in too many small pieces.');
}

/** Limit of all incomplete bodies together. */
const MAX_ARRIVING_BYTES = 128 * 1024 * 1024;

interface UploadBudget {
  add: (bytes: number) => void;
  end: () => void;
}

const activeUploads = new Map<UploadBudget, { bytes: number; giveUp: () => void }>();
let total = 0;

/** Above the limit, aborts the oldest upload: normal uploads complete quickly. */
function createUploadBudget(giveUp: () => void): UploadBudget {
  const own = { bytes: 0, giveUp };
  const arrival: UploadBudget = {
    add(bytes) {
      if (!activeUploads.has(arrival)) return;
      own.bytes += bytes;
      total += bytes;
      while (total > MAX_ARRIVING_BYTES) abortOldestUpload();
    },
    end() {
      if (activeUploads.delete(arrival)) total -= own.bytes;
    },
  };
  activeUploads.set(arrival, own);
  return arrival;
}

function abortOldestUpload(): void {
  for (const [arrival, { giveUp }] of activeUploads) {
    arrival.end();
    giveUp();
    return;
  }
}

export interface MediaType {
  /** Lower-case. Empty if absent or ambiguous. */
  type: string;
  charset: string;
}

const CHARSET = /;\s*charset\s*=\s*["']?([^\s;,"']+)/i;

/** Accepts two equal types, because some clients send the header twice. */
export function parseMediaType(header: string): MediaType {
  const types = new Set(header.split(',').map((one) => one.replace(/;.*/s, '').trim().toLowerCase()));
  const [type = ''] = types.size === 1 ? types : [];
  return { type, charset: CHARSET.exec(header)?.[1]?.toLowerCase() ?? '' };
}

export function isJsonType(type: string): boolean {
  return /^(application|text)\/([^\s/;,]+\+)?json$/.test(type);
}

/**
 * Prefers the byte order mark, then the declared charset, then UTF-8. Throws DomainError
 * `unsupported_media_type` for an unknown charset.
 */
export function detectCharset(bytes: Uint8Array, declared: string): string {
  const marked = detectBomCharset(bytes);
  if (marked !== undefined) return marked;
  const charset = findCharset(declared === '' ? 'utf-8' : declared);
  if (charset !== null) return charset;
  const said = `The charset ${JSON.stringify(declared.slice(0, 40))} is not known. Send UTF-8.`;
  throw new DomainError('unsupported_media_type', said);
}

/**
 * Decodes valid UTF-8 as UTF-8, even if another charset is declared. Throws DomainError
 * `invalid_json`.
 */
export function decodeWithCharset(bytes: Uint8Array, charset = 'utf-8'): string {
  const text = decodeText(bytes, charset);
  if (text !== null) return text;
  throw new DomainError('invalid_json', `The body is not valid ${charset.toUpperCase()}.`);
}
