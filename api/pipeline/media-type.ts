import { isUtf8 } from 'node:buffer';
import { DomainError } from '../../domain/errors.ts';

/** The media type that a `Content-Type` header names. */
export interface MediaType {
  /** Lower-case, without parameters; empty where the header is missing or names several types. */
  type: string;
  /** As the header names it, lower-case; empty without one. */
  charset: string;
}

const CHARSET = /;\s*charset\s*=\s*["']?([^\s;,"']+)/i;

/** The characters of windows-1252 from 0x80 to 0x9f. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Parses a `Content-Type` header. Some clients send the header twice, which arrives as one header
 * with a comma: that is read as one type where both are the same.
 */
export function parseMediaType(header: string): MediaType {
  const types = new Set(header.split(',').map((one) => one.replace(/;.*/s, '').trim().toLowerCase()));
  const [type = ''] = types.size === 1 ? types : [];
  return { type, charset: CHARSET.exec(header)?.[1]?.toLowerCase() ?? '' };
}

/** Returns whether a type means JSON. A browser sends such a type only after a preflight. */
export function isJsonType(type: string): boolean {
  return /^(application|text)\/([^\s/;,]+\+)?json$/.test(type);
}

/**
 * Returns the charset of a body: that of its byte order mark, else the declared one, else UTF-8.
 * Throws DomainError `unsupported_media_type` that names a charset that is not known.
 */
export function charsetOf(bytes: Uint8Array, declared: string): string {
  const marked = markedCharset(bytes);
  if (marked !== undefined) return marked;
  // ASCII is a part of UTF-8; the Encoding Standard takes it for windows-1252.
  if (['', 'ascii', 'us-ascii'].includes(declared)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    const said = `The charset ${JSON.stringify(declared.slice(0, 40))} is not known. Send UTF-8.`;
    throw new DomainError('unsupported_media_type', said);
  }
}

/**
 * Bytes as text. Many senders declare another charset and send UTF-8: what can hardly be anything
 * else is read as UTF-8. Throws DomainError `invalid_json` where the bytes are not of the charset.
 */
export function textOf(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    const used = isDoubtful(charset, bytes) && isUtf8(bytes) ? 'utf-8' : charset;
    const text = new TextDecoder(used, { fatal: true }).decode(bytes);
    return used === 'windows-1252' ? withPunctuation(text) : text;
  } catch {
    throw new DomainError('invalid_json', `The body is not valid ${charset.toUpperCase()}.`);
  }
}

/** Node 20 decodes windows-1252 as Latin-1: 0x80 to 0x9f become control characters. */
function withPunctuation(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (one) => WINDOWS_1252[one.charCodeAt(0) - 0x80] ?? one);
}

function isDoubtful(charset: string, bytes: Uint8Array): boolean {
  return /^(?:windows-125|iso-8859-)/.test(charset) || (charset.startsWith('utf-16') && !bytes.includes(0));
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}
