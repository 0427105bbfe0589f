export interface ByteRange {
  first: number;
  last: number;
}

const SINGLE = /^bytes=(\d*)-(\d*)$/i;

/**
 * Parses a header `Range` for a body of `bytes` (RFC 9110, 14). Returns undefined for the whole
 * body: without a range, with several ranges, another unit or an invalid range.
 */
export function parseRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = SINGLE.exec(header.trim()) ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? 'unsatisfiable' : { first: bytes - length, last: bytes - 1 };
  }
  const [first, last] = [Number(from), to === '' ? Infinity : Number(to)];
  if (last < first) return undefined;
  return first >= bytes ? 'unsatisfiable' : { first, last: Math.min(last, bytes - 1) };
}
