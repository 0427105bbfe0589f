import { findCharset, decodeText, detectBomCharset } from '../../domain/charset.ts';
import { DomainError } from '../../domain/errors.ts';

export interface MediaType {
  /** Lower-case. Empty if missing or ambiguous. */
  type: string;
  /** Lower-case. Empty if not declared. */
  charset: string;
}

const CHARSET = /;\s*charset\s*=\s*["']?([^\s;,"']+)/i;

/**
 * Parses a `Content-Type` header. Two equal types count as one: some clients send the header twice.
 */
export function parseMediaType(header: string): MediaType {
  const types = new Set(header.split(',').map((one) => one.replace(/;.*/s, '').trim().toLowerCase()));
  const [type = ''] = types.size === 1 ? types : [];
  return { type, charset: CHARSET.exec(header)?.[1]?.toLowerCase() ?? '' };
}

/**
 * Returns whether a type means JSON. Browsers send such a type to another site only after a
 * preflight.
 */
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
 * `invalid_json` for invalid bytes.
 */
export function decodeWithCharset(bytes: Uint8Array, charset = 'utf-8'): string {
  const text = decodeText(bytes, charset);
  if (text !== null) return text;
  throw new DomainError('invalid_json', `The body is not valid ${charset.toUpperCase()}.`);
}
