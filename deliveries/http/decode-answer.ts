import { TextDecoder, promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

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

/** Byte order marks, which outrank what is declared (Encoding Standard). */
const MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

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
    const problem = await decompressed(encoding, plain, encodings.length).then(
      (result) => void (plain = result),
      (error: unknown) => problemOf(error, encoding),
    );
    if (problem !== undefined) return { text: countOf(bytes), problem };
  }
  return decodeText(plain, contentType ?? '');
}

function decompressed(encoding: string, bytes: Buffer, count: number): Promise<Buffer> {
  const decompress = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
  if (!decompress || count > MAX_ENCODINGS) return Promise.reject(new UnknownEncoding());
  return decompress(bytes);
}

class UnknownEncoding extends Error {
  override readonly name = 'UnknownEncoding';
}

function problemOf(error: unknown, encoding: string): string {
  const named = nameOf(encoding);
  if (error instanceof UnknownEncoding) return `is encoded as ${named}, which is not read`;
  const { code } = error as { code?: unknown };
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'is longer than 1 MiB when it is decompressed';
  return `is not valid ${named}`;
}

function decodeText(bytes: Buffer, contentType: string): DecodedAnswer {
  const declared = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1];
  const label = markOf(bytes) ?? declared ?? guessOf(bytes);
  const decoder = decoderOf(label);
  if (!decoder) return { text: legible(bytes, 'utf-8'), problem: `has the unknown charset ${nameOf(label)}` };
  for (const candidate of isDoubtful(decoder.encoding, bytes) ? ['utf-8', label] : [label]) {
    const text = strictly(bytes, candidate);
    if (text?.includes('\0')) return { text: countOf(bytes), problem: 'is not text' };
    if (text !== null) return { text, problem: null };
  }
  return { text: legible(bytes, label), problem: `is not valid ${decoder.encoding.toUpperCase()}` };
}

/**
 * Many servers declare another charset and send UTF-8. Text in Latin-1 is hardly ever valid UTF-8,
 * and JSON in UTF-16 has zeros.
 */
function isDoubtful(encoding: string, bytes: Buffer): boolean {
  return /^(?:windows-125|iso-8859-)/.test(encoding) || (encoding.startsWith('utf-16') && !bytes.includes(0));
}

function markOf(bytes: Buffer): string | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/** UTF-8, except for text such as `{"` in which every other byte is zero. */
function guessOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (bytes.length >= 4 && first && second === 0 && bytes[2]) return 'utf-16le';
  if (bytes.length >= 4 && first === 0 && second && bytes[2] === 0) return 'utf-16be';
  return 'utf-8';
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}

function strictly(bytes: Buffer, label: string): string | null {
  try {
    return (
      decoderOf(label)
        ?.decode(bytes)
        .replace(/^\ufeff+/, '') ?? null
    );
  } catch {
    return null;
  }
}

/** Text for the log; of other bytes the log has the number. */
function legible(bytes: Buffer, label: string): string {
  const text = new TextDecoder(label).decode(bytes);
  return hasControls(text) ? countOf(bytes) : text;
}

function hasControls(text: string): boolean {
  return /(?![\t\n\f\r\u007f-\u009f])\p{Cc}/u.test(text);
}

function countOf(bytes: Buffer): string {
  return `[${bytes.length} bytes that are not text]`;
}

/** A name that the receiver chose, short and in plain characters. */
function nameOf(text: string): string {
  return text.replace(/[^\w.+-]/g, '').slice(0, 32) || 'unnamed';
}
