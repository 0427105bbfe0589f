import { DomainError } from '../../domain/errors.ts';
import { assertJsonSize, toFields } from '../../domain/json.ts';
import { parseExactJson } from '../../domain/exact-json.ts';
import { holdsToken } from './blank-tokens.ts';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { findCharset, decodeLossy, decodeText, detectBomCharset } from '../../domain/charset.ts';

/** Frameworks respond to a POST with 201 or 202 of their own. */
export const REPLY_STATUSES: readonly (number | undefined)[] = [200, 201, 202];

/** The log keeps the start of an answer. */
export const LOGGED_BYTES = 16 * 1024;

/** Limit of JSON values in a response. A usual reply of 100 messages has fewer. */
const MAX_VALUES = 10_000;

/** Shorter tokens may be ordinary words. */
const MIN_TOKEN_CHARACTERS = 8;

/** Unchecked messages to post as the user of the token (spec 7). */
export interface Reply {
  token: string;
  messages: unknown;
}

export interface ParsedAnswer {
  /** For the log: the first 16 KiB, without tokens. */
  text: string;
  /** The reply, the error of an unreadable reply, or null. */
  reply: Reply | DomainError | null;
  /** Milliseconds that the thread was busy with the answer. */
  costMs: number;
}

/**
 * Parses a response. `reply` is an error if the response looks like a reply but cannot be posted,
 * and for a reply with more than 100 levels or 10,000 values. `secrets` are hidden as tokens are.
 */
export async function readAnswer(answer: RawAnswer, secrets: readonly string[] = []): Promise<ParsedAnswer> {
  const decoded = await decodeAnswer(answer);
  const begun = performance.now();
  const parsed = parseReply(answer, decoded, secrets);
  return { ...parsed, costMs: performance.now() - begun };
}

function parseReply(
  answer: RawAnswer,
  { text, problem }: DecodedAnswer,
  secrets: readonly string[],
): Omit<ParsedAnswer, 'costMs'> {
  const toLog = (logged: string) => toLogText(logged, answer, secrets);
  if (problem !== null) {
    return { text: toLog(text), reply: mayBeReply(answer) ? invalidAnswerError(problem) : null };
  }
  // Most responses need no parsing.
  if (!/token|message|"text"|\\u00/i.test(text)) return { text: toLog(text), reply: null };
  const value = parseAnswer(text);
  if (!isObject(value) || !('token' in value)) return { text: toLog(text), reply: findFailure(text, value) };
  const { token, messages } = value as Partial<Record<keyof Reply, unknown>>;
  const shown = JSON.stringify({ ...value, token: '[token]' });
  return {
    text: toLog(typeof token === 'string' ? redactToken(shown, token) : shown),
    reply:
      typeof token === 'string' && messages !== undefined ? { token, messages } : findFailure(text, value),
  };
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export function mayBeginReply({ bytes, contentType = '', contentEncoding = '' }: RawAnswer): boolean {
  if (contentEncoding !== '' || /json/i.test(contentType)) return true;
  // Zero bytes of UTF-16, byte order marks and white space may precede the object.
  return /^[\s\0\xef\xbb\xbf\xfe\xff]*\{/.test(bytes.toString('latin1', 0, LOGGED_BYTES));
}

function mayBeReply({ bytes, contentType = '', contentEncoding = '' }: RawAnswer): boolean {
  if (bytes.length === 0) return false;
  if (contentEncoding !== '' || /json/i.test(contentType) || isGzip(bytes)) return true;
  return bytes.toString('latin1').replaceAll('\0', '').includes('token');
}

const TOKEN_KEY = /token(?:\\*["']|&quot;)?\s{0,9}[:=]/i;
const MESSAGES_KEY = /messages?(?:\\*["']|&quot;)?\s{0,9}[:=]/i;

/** Returns why a response that looks like a reply cannot be posted, else null. */
function findFailure(text: string, value: unknown): DomainError | null {
  if (value instanceof DomainError) return text.includes('messages') ? value : null;
  if (Array.isArray(value) && value.some(isMessage)) {
    return invalidAnswerError('is a list of messages, not an object with token and messages');
  }
  const { token, messages, message } = toFields(value);
  if (token === undefined && ([messages].flat().some(isMessage) || isMessage(message))) {
    return invalidAnswerError('has messages, but no token');
  }
  if (!TOKEN_KEY.test(text) || !MESSAGES_KEY.test(text)) return null;
  if (value === undefined) return invalidAnswerError('has a token and messages, but is not valid JSON');
  return invalidAnswerError('does not have token, a text, and messages, a list, at its top level');
}

function isMessage(value: unknown): boolean {
  const { text, type } = toFields(value);
  return typeof text === 'string' || typeof type === 'string';
}

function invalidAnswerError(problem: string): DomainError {
  return new DomainError('invalid_request', `The response ${problem}.`);
}

function redactToken(text: string, token: string): string {
  return token.length < MIN_TOKEN_CHARACTERS
    ? text
    : text.replaceAll(JSON.stringify(token).slice(1, -1), '[token]');
}

/** Keeps no part of a text with a token, because parts may complete the token. */
function toLogText(text: string, { bytes, contentType = '' }: RawAnswer, secrets: readonly string[]): string {
  const kept = truncateBytes(text);
  if (!holdsToken(kept, secrets)) return kept;
  const type = /^[a-z]+\/[a-z0-9.+-]{1,40}(?![^\s;])/.exec(contentType.toLowerCase())?.[0] ?? 'no known type';
  return `[${bytes.length} bytes of ${type}, not shown: they have a token]`;
}

function truncateBytes(text: string): string {
  const bytes = Buffer.from(text.slice(0, LOGGED_BYTES));
  return new TextDecoder().decode(bytes.subarray(0, LOGGED_BYTES), { stream: true });
}

function parseAnswer(text: string): unknown {
  try {
    assertJsonSize(text, MAX_VALUES);
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof DomainError) return error;
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof DomainError);
}

/** Room for 1 MiB of body, and headers. */
const MAX_ANSWER_ON_THE_WIRE = 2 * 1024 * 1024;
/** Small: the HTTP parser scans a whole read even after it has rejected the headers or trailers. */
const ENVELOPE_READ_BYTES = 1024;
const BODY_READ_BYTES = 16 * 1024;
/** Headers, trailers and the framing of chunks, besides as many bytes as the body has. */
const MAX_ENVELOPE_BYTES = 64 * 1024;

export const ENDLESS = 'ENDLESS_ANSWER';

/** Of the response that is parsed: each read is parsed before the next. */
let parsed = { bodyBytes: 0 };

export function countBody(bytes: number): void {
  parsed.bodyBytes += bytes;
}

/**
 * Splits the reads of a socket and destroys the socket when a response exceeds the limit on the
 * wire, or consists of little but its envelope. Later limits do not count bytes that the parser
 * discards.
 */
export function boundReads<S extends Socket>(socket: S, maxBytes = MAX_ANSWER_ON_THE_WIRE): S {
  let asked = 0;
  let received = 0;
  let earlier = 0;
  const body = { bodyBytes: 0 };
  let last = { received: 0, bodyBytes: 0 };
  let isBody = false;
  socket.read = (size?: number): unknown => {
    // The parser keeps reading after it has destroyed the connection.
    if (socket.destroyed) return null;
    if (socket.bytesWritten !== asked) {
      earlier += received;
      received = 0;
      body.bodyBytes = 0;
      last = { received: 0, bodyBytes: 0 };
      isBody = false;
    }
    asked = socket.bytesWritten;
    if (received > last.received) {
      isBody = 2 * (body.bodyBytes - last.bodyBytes) > received - last.received;
      last = { received, bodyBytes: body.bodyBytes };
    }
    const most = size ?? Math.min(socket.readableLength, isBody ? BODY_READ_BYTES : ENVELOPE_READ_BYTES);
    const chunk: unknown = Socket.prototype.read.call(socket, most || undefined);
    const isEndless = received > Math.min(maxBytes, MAX_ENVELOPE_BYTES + 2 * body.bodyBytes);
    if (Buffer.isBuffer(chunk)) received += chunk.length;
    parsed = body;
    if (isEndless || received > maxBytes) {
      socket.destroy(Object.assign(new Error('The response does not end.'), { code: ENDLESS }));
    }
    return chunk;
  };
  // Must run before the HTTP client's own listener, which rejects the request.
  socket.prependListener('error', (error) => {
    const isRead = socket.bytesWritten === asked;
    const [answered, before] = isRead ? [received, earlier] : [0, earlier + received];
    if (answered === 0 && before > 0) closedUnderRequests.add(error);
  });
  return socket;
}

const closedUnderRequests = new WeakSet();

/** Returns whether the receiver closed a kept connection before it began to respond. */
export function isClosedUnderRequest(error: unknown): boolean {
  return error instanceof Error && closedUnderRequests.has(error);
}

/** Limit after decompression. */
const MAX_BYTES = 1024 * 1024;
const MAX_ENCODINGS = 2;

export interface RawAnswer {
  bytes: Buffer;
  contentType?: string | undefined;
  contentEncoding?: string | undefined;
  /** More bytes followed, which were not read. */
  isCut?: boolean | undefined;
}

interface DecodedAnswer {
  /** Unreadable characters become U+FFFD. */
  text: string;
  /** Completes "The response …" with the reason why the text is not exact. Null if exact. */
  problem: string | null;
}

// Stops decompression bombs early.
const BOUNDED = { maxOutputLength: MAX_BYTES };
const asGzip = (bytes: Buffer) => promisify(gunzip)(bytes, BOUNDED);
const DECOMPRESS: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  gzip: asGzip,
  'x-gzip': asGzip,
  br: (bytes) => promisify(brotliDecompress)(bytes, BOUNDED),
  // Many servers omit the zlib header, whose first byte ends with the bits 1000 (RFC 1950).
  deflate: (bytes) => promisify(((bytes[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)(bytes, BOUNDED),
};

/** Decodes the content encoding, up to 1 MiB, and the charset. Never rejects. */
export async function decodeAnswer({
  bytes,
  contentType,
  contentEncoding,
  isCut,
}: RawAnswer): Promise<DecodedAnswer> {
  const encodings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');
  let plain = bytes;
  // Some servers declare an encoding for an empty body.
  for (const encoding of bytes.length === 0 ? [] : encodings.reverse()) {
    const failed = (problem: string) => ({ text: formatByteCount(bytes), problem });
    const decompress = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
    if (!decompress || encodings.length > MAX_ENCODINGS) {
      return failed(`is encoded as ${sanitizeName(encoding)}, which is not supported`);
    }
    try {
      plain = await decompress(plain);
    } catch (error) {
      const isLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
      return failed(
        isLarge ? 'is longer than 1 MiB when it is decompressed' : `is not valid ${sanitizeName(encoding)}`,
      );
    }
  }
  return readText({ bytes: plain, contentType, isCut });
}

function readText({ bytes, contentType = '', isCut }: RawAnswer): DecodedAnswer {
  const declared = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1];
  const label = detectBomCharset(bytes) ?? declared ?? guessCharset(bytes);
  const charset = findCharset(label);
  if (charset === null) {
    return { text: formatForLog(bytes, 'utf-8'), problem: `has the unknown charset ${sanitizeName(label)}` };
  }
  const text = decodeText(bytes, charset, isCut);
  if (text === null) {
    const problem = isGzip(bytes)
      ? 'is gzip, which no Content-Encoding declares'
      : `is not valid ${charset.toUpperCase()}`;
    return { text: formatForLog(bytes, charset), problem };
  }
  if (text.includes('\0')) return { text: formatByteCount(bytes), problem: 'is not text' };
  return { text: text.replace(/^\ufeff+/, ''), problem: null };
}

/** Returns UTF-16 if every other byte at the start is zero, as in `{"`. */
function guessCharset(bytes: Buffer): string {
  const [first, second] = bytes;
  if (bytes.length >= 4 && first && second === 0 && bytes[2]) return 'utf-16le';
  if (bytes.length >= 4 && first === 0 && second && bytes[2] === 0) return 'utf-16be';
  return 'utf-8';
}

function formatForLog(bytes: Buffer, label: string): string {
  const text = decodeLossy(bytes, label);
  const hasControls = /(?![\t\n\f\r\u007f-\u009f])\p{Cc}/u.test(text);
  return hasControls ? formatByteCount(bytes) : text;
}

function formatByteCount(bytes: Buffer): string {
  return `[${bytes.length} bytes that are not text]`;
}

function sanitizeName(text: string): string {
  return text.replace(/[^\w.+-]/g, '').slice(0, 32) || 'unnamed';
}
