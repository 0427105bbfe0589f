const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const UNITS = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 || byte > 0x9f ? byte : WINDOWS_1252.charCodeAt(byte - 0x80),
);

/** Byte order marks override the declared charset (Encoding Standard). */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Returns the canonical charset (`windows-1252` for `latin1`, Encoding Standard), or null. */
export function findCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

export function detectBomCharset(bytes: Uint8Array): string | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/**
 * Returns null for invalid bytes. Many senders declare another charset but send UTF-8. `isCut`: the
 * last character may be incomplete.
 */
export function decodeText(bytes: Uint8Array, charset: string, isCut = false): string | null {
  const candidates = isDoubtful(findCharset(charset) ?? charset, bytes) ? ['utf-8', charset] : [charset];
  for (const candidate of candidates) {
    try {
      return decode(bytes, candidate, { fatal: true, stream: isCut });
    } catch {
      // Try the next charset.
    }
  }
  return null;
}

export function decodeLossy(bytes: Uint8Array, charset: string): string {
  return decode(bytes, charset, { fatal: false });
}

interface DecodeOptions {
  fatal: boolean;
  stream?: boolean;
}

function decode(bytes: Uint8Array, charset: string, { fatal, stream = false }: DecodeOptions): string {
  const decoder = new TextDecoder(charset, { fatal });
  if (decoder.encoding === 'windows-1252') return decodeWindows1252(bytes);
  return decoder.decode(bytes, { stream });
}

/** Node 20 decodes windows-1252 as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) units[at] = UNITS[bytes[at] ?? 0] ?? 0;
  return new TextDecoder('utf-16le').decode(units);
}

/**
 * Returns whether to try UTF-8 first: Latin-1 text is rarely valid UTF-8, and JSON in UTF-16
 * contains zero bytes.
 */
function isDoubtful(charset: string, bytes: Uint8Array): boolean {
  return /^(?:windows-125|iso-8859-)/.test(charset) || (charset.startsWith('utf-16') && !bytes.includes(0));
}
