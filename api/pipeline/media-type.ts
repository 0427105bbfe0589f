import { findCharset, decodeText, detectBomCharset } from '../../domain/charset.ts';
import { DomainError } from '../../domain/errors.ts';

/** The media type that a `Content-Type` header names. */
export interface MediaType {
  /** Lower-case, without parameters; empty where the header is missing or names several types. */
  type: string;
  /** As the header names it, lower-case; empty without one. */
  charset: string;
}

const CHARSET = /;\s*charset\s*=\s*["']?([^\s;,"']+)/i;

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
export function detectCharset(bytes: Uint8Array, declared: string): string {
  const marked = detectBomCharset(bytes);
  if (marked !== undefined) return marked;
  const charset = findCharset(declared === '' ? 'utf-8' : declared);
  if (charset !== null) return charset;
  const said = `The charset ${JSON.stringify(declared.slice(0, 40))} is not known. Send UTF-8.`;
  throw new DomainError('unsupported_media_type', said);
}

/**
 * Returns bytes as text. Reads valid UTF-8 as UTF-8 where a charset such as Latin-1 is declared.
 * Throws DomainError `invalid_json` where the bytes are not of the charset.
 */
export function decodeWithCharset(bytes: Uint8Array, charset = 'utf-8'): string {
  const text = decodeText(bytes, charset);
  if (text !== null) return text;
  throw new DomainError('invalid_json', `The body is not valid ${charset.toUpperCase()}.`);
}
