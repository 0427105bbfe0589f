import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { findCharset, decodeLossy, decodeText, detectBomCharset } from '../../domain/charset.ts';

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
export interface DecodedAnswer {
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
export async function decodeAnswer({
  bytes,
  contentType,
  contentEncoding,
}: RawAnswer): Promise<DecodedAnswer> {
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
