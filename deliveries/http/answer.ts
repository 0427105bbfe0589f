import { DomainError } from '../../domain/errors.ts';
import { assertJsonSize } from '../../domain/json.ts';
import { parseExactJson } from '../../application/schema/exact-json.ts';
import { blankTokens } from './blank-tokens.ts';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { findCharset, decodeLossy, decodeText, detectBomCharset } from '../../domain/charset.ts';

const KEPT_BYTES = 16 * 1024;

/**
 * Values in an answer that is read: a reply of 100 messages has fewer. A worker's one thread reads
 * the answers of all receivers.
 */
const MAX_VALUES = 10_000;

/** A shorter token may be a word of the text. */
const MIN_TOKEN_CHARACTERS = 8;

/**
 * Messages that a receiver answers with, to be posted as the user of a token (spec 7). Nothing of
 * it has been checked.
 */
export interface Reply {
  token: string;
  messages: unknown;
}

/** An answer of a receiver, read once. */
export interface ParsedAnswer {
  /**
   * Its first 16 KiB as they are logged: without tokens, and without a character that the limit
   * cuts in two.
   */
  text: string;
  /** The reply, or why a reply cannot be read; null: the answer is not a reply, as most are not. */
  reply: Reply | DomainError | null;
}

/**
 * Reads the answer of a receiver. An answer of more than 100 levels or 10,000 values, or one that
 * cannot be decoded, is not a reply.
 */
export async function readAnswer(answer: RawAnswer): Promise<ParsedAnswer> {
  const { text, problem } = await decodeAnswer(answer);
  if (problem !== null)
    return { text: toLogText(text), reply: mayBeReply(answer) ? invalidAnswerError(problem) : null };
  // Most answers have no token, and need not be parsed.
  if (!text.includes('token') && !text.includes('\\u00')) return { text: toLogText(text), reply: null };
  const value = parseAnswer(text);
  if (!isObject(value) || !('token' in value))
    return { text: toLogText(text), reply: findFailure(text, value) };
  const { token, messages } = value as Partial<Record<keyof Reply, unknown>>;
  const shown = JSON.stringify({ ...value, token: '[token]' });
  return {
    text: toLogText(typeof token === 'string' ? redactToken(shown, token) : shown),
    reply: typeof token === 'string' && messages !== undefined ? { token, messages } : null,
  };
}

/** Whether an answer that cannot be decoded may be a reply. A compressed answer may be anything. */
function mayBeReply({ bytes, contentType = '', contentEncoding = '' }: RawAnswer): boolean {
  if (bytes.length === 0) return false;
  if (contentEncoding !== '' || /json/i.test(contentType)) return true;
  return bytes.toString('latin1').replaceAll('\0', '').includes('token');
}

function findFailure(text: string, value: unknown): DomainError | null {
  if (value instanceof DomainError) return text.includes('messages') ? value : null;
  const isCut = value === undefined && text.trimStart().startsWith('{') && text.includes('messages');
  return isCut ? invalidAnswerError('has a token and messages, but is not valid JSON') : null;
}

function invalidAnswerError(problem: string): DomainError {
  return new DomainError('invalid_request', `The answer ${problem}.`);
}

/** A receiver may repeat the token in another field. */
function redactToken(text: string, token: string): string {
  return token.length < MIN_TOKEN_CHARACTERS
    ? text
    : text.replaceAll(JSON.stringify(token).slice(1, -1), '[token]');
}

function toLogText(text: string): string {
  return truncateBytes(blankTokens(truncateBytes(text)));
}

function truncateBytes(text: string): string {
  const bytes = Buffer.from(text.slice(0, KEPT_BYTES));
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
}

/** Undefined: it is not JSON, as most answers are not. */
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

/**
 * An answer's body is read up to 1 MiB; with what carries it (chunks, headers, trailers) it may be
 * this much.
 */
const MAX_ANSWER_ON_THE_WIRE = 2 * 1024 * 1024;
/**
 * The HTTP parser reads to the end what it is given at once, also after it has found the headers
 * too large: at a great cost for each of them.
 */
const MAX_READ_BYTES = 1024;

/** The code of the error that an answer ends with which never comes to an end. */
export const ENDLESS = 'ENDLESS_ANSWER';

/**
 * Has a connection give what it received in small parts, and ends it when one request is answered
 * with more than any answer needs, whatever that consists of: the parser throws much away that
 * nobody would ever count.
 */
export function boundReads<S extends Socket>(socket: S): S {
  let asked = 0;
  let received = 0;
  let earlier = 0;
  socket.read = (size?: number): unknown => {
    // The parser asks for what has arrived to the end, also where it has ended the connection.
    if (socket.destroyed) return null;
    // What was written since belongs to the next request.
    if (socket.bytesWritten !== asked) {
      earlier += received;
      received = 0;
    }
    asked = socket.bytesWritten;
    const most = size ?? Math.min(socket.readableLength, MAX_READ_BYTES);
    const chunk: unknown = Socket.prototype.read.call(socket, most || undefined);
    if (Buffer.isBuffer(chunk)) received += chunk.length;
    if (received > MAX_ANSWER_ON_THE_WIRE) socket.destroy(endlessAnswerError());
    return chunk;
  };
  // Before the HTTP client's own listener, which rejects the request.
  socket.prependListener('error', (error) => {
    const isRead = socket.bytesWritten === asked;
    const [answered, before] = isRead ? [received, earlier] : [0, earlier + received];
    if (answered === 0 && before > 0) closedUnderRequests.add(error);
  });
  return socket;
}

/** Errors of connections that had answered before, and closed without a byte for a request. */
const closedUnderRequests = new WeakSet();

/**
 * Whether a connection that was used before closed under a request, without any byte of an answer:
 * receivers close idle connections when they like, also while a request is on its way.
 */
export function isClosedUnderRequest(error: unknown): boolean {
  return error instanceof Error && closedUnderRequests.has(error);
}

function endlessAnswerError(): Error {
  return Object.assign(new Error('The answer does not come to an end.'), { code: ENDLESS });
}

/** Bytes of an answer after decompression. */
const MAX_BYTES = 1024 * 1024;
/** Encodings that are undone, one after the other. */
const MAX_ENCODINGS = 2;

/** An answer as it came. */
export interface RawAnswer {
  bytes: Buffer;
  contentType?: string | undefined;
  contentEncoding?: string | undefined;
}

/** An answer as text. */
interface DecodedAnswer {
  /** Text for the log. It holds U+FFFD where a character cannot be read. */
  text: string;
  /** Why the text is not what was sent, as in "The answer …"; null: it is. */
  problem: string | null;
}

type Decompress = (bytes: Buffer) => Promise<Buffer>;

// Node gives up as soon as there is more than this: a small answer may stand for gigabytes.
const BOUNDED = { maxOutputLength: MAX_BYTES };
const asGzip: Decompress = (bytes) => promisify(gunzip)(bytes, BOUNDED);
const DECOMPRESS: Record<string, Decompress> = {
  gzip: asGzip,
  'x-gzip': asGzip,
  br: (bytes) => promisify(brotliDecompress)(bytes, BOUNDED),
  // Many servers leave out the zlib header, whose first byte ends with 8 (RFC 1950).
  deflate: (bytes) => promisify(((bytes[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)(bytes, BOUNDED),
};

/**
 * Reads an answer as HTTP says: undoes its content encoding, within 1 MiB, and decodes its charset.
 * Never rejects for what the answer is.
 */
async function decodeAnswer({ bytes, contentType, contentEncoding }: RawAnswer): Promise<DecodedAnswer> {
  const encodings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');
  let plain = bytes;
  // Some servers declare an encoding for an empty body as well.
  for (const encoding of bytes.length === 0 ? [] : encodings.reverse()) {
    const problem = await decompressBytes(encoding, plain, encodings.length).then(
      (result) => void (plain = result),
      (error: unknown) => describeProblem(error, encoding),
    );
    if (problem !== undefined) return { text: formatByteCount(bytes), problem };
  }
  return readText(plain, contentType ?? '');
}

function decompressBytes(encoding: string, bytes: Buffer, count: number): Promise<Buffer> {
  const decompress = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
  if (!decompress || count > MAX_ENCODINGS) return Promise.reject(new UnknownEncoding());
  return decompress(bytes);
}

class UnknownEncoding extends Error {
  override readonly name = 'UnknownEncoding';
}

function describeProblem(error: unknown, encoding: string): string {
  const named = sanitizeName(encoding);
  if (error instanceof UnknownEncoding) return `is encoded as ${named}, which is not read`;
  const { code } = error as { code?: unknown };
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'is longer than 1 MiB when it is decompressed';
  return `is not valid ${named}`;
}

function readText(bytes: Buffer, contentType: string): DecodedAnswer {
  const declared = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1];
  const label = detectBomCharset(bytes) ?? declared ?? guessCharset(bytes);
  const charset = findCharset(label);
  if (charset === null) {
    return { text: formatForLog(bytes, 'utf-8'), problem: `has the unknown charset ${sanitizeName(label)}` };
  }
  const text = decodeText(bytes, charset);
  if (text === null) {
    return { text: formatForLog(bytes, charset), problem: `is not valid ${charset.toUpperCase()}` };
  }
  if (text.includes('\0')) return { text: formatByteCount(bytes), problem: 'is not text' };
  return { text: text.replace(/^\ufeff+/, ''), problem: null };
}

/** UTF-8, except for text such as `{"` in which every other byte is zero. */
function guessCharset(bytes: Buffer): string {
  const [first, second] = bytes;
  if (bytes.length >= 4 && first && second === 0 && bytes[2]) return 'utf-16le';
  if (bytes.length >= 4 && first === 0 && second && bytes[2] === 0) return 'utf-16be';
  return 'utf-8';
}

/** Text for the log; of other bytes the log has the number. */
function formatForLog(bytes: Buffer, label: string): string {
  const text = decodeLossy(bytes, label);
  return hasControls(text) ? formatByteCount(bytes) : text;
}

function hasControls(text: string): boolean {
  return /(?![\t\n\f\r\u007f-\u009f])\p{Cc}/u.test(text);
}

function formatByteCount(bytes: Buffer): string {
  return `[${bytes.length} bytes that are not text]`;
}

/** A name that the receiver chose, short and in plain characters. */
function sanitizeName(text: string): string {
  return text.replace(/[^\w.+-]/g, '').slice(0, 32) || 'unnamed';
}
