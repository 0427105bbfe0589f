/** The characters of windows-1252 from 0x80 to 0x9f. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Byte order marks. They override the declared charset (Encoding Standard). */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Returns the canonical charset of a label, or null for an unknown label. In the Encoding Standard
 * `ascii`, `latin1` and `iso-8859-1` are labels of windows-1252.
 */
export function findCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Returns the charset of a byte order mark, or undefined if the bytes have no mark. */
export function detectBomCharset(bytes: Uint8Array): string | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/**
 * Decodes bytes, without a byte order mark. Returns null if the bytes are invalid in the charset.
 * Many senders declare another charset and send UTF-8, so bytes that are very likely UTF-8 are read
 * as UTF-8. `charset` must be a label that `findCharset` accepts.
 */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  const candidates = isDoubtful(findCharset(charset) ?? charset, bytes) ? ['utf-8', charset] : [charset];
  for (const candidate of candidates) {
    try {
      return decode(bytes, candidate, { fatal: true });
    } catch {
      // Try the next charset.
    }
  }
  return null;
}

/** Decodes bytes with U+FFFD for each invalid character. */
export function decodeLossy(bytes: Uint8Array, charset: string): string {
  return decode(bytes, charset, { fatal: false });
}

/** Node 20 decodes windows-1252 as Latin-1, so map 0x80 to 0x9f here. */
function decode(bytes: Uint8Array, charset: string, options: { fatal: boolean }): string {
  const decoder = new TextDecoder(charset, options);
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replace(/[\u0080-\u009f]/g, (one) => WINDOWS_1252[one.charCodeAt(0) - 0x80] ?? one);
}

/**
 * Returns whether the bytes may be UTF-8. Latin-1 text is rarely valid UTF-8, and JSON in UTF-16
 * contains zero bytes.
 */
function isDoubtful(charset: string, bytes: Uint8Array): boolean {
  return /^(?:windows-125|iso-8859-)/.test(charset) || (charset.startsWith('utf-16') && !bytes.includes(0));
}
