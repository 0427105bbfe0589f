const SLOTS = 4096;
const MAX_CACHED_LENGTH = 48;

/** Names already read, by a hash of their bytes: documents have few names and many of each. */
const cachedNames: (string | undefined)[] = new Array<string | undefined>(SLOTS);

/**
 * The name whose bytes are at `start` up to `end`; making a string anew would cost several times as
 * much as finding a known one.
 */
export function nameAt(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  let hash = length;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > 127) return bytes.toString('utf8', start, end);
    hash = (hash * 31 + byte) | 0;
  }
  const slot = hash & (SLOTS - 1);
  const candidate = cachedNames[slot];
  if (candidate?.length === length && isAt(candidate, bytes, start)) return candidate;
  const name = bytes.toString('latin1', start, end);
  if (length <= MAX_CACHED_LENGTH) cachedNames[slot] = name;
  return name;
}

function isAt(name: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
