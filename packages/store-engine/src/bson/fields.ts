import { walk, walkNamed } from './walk.ts';

interface ByteRange {
  from: number;
  to: number;
}

/** The document with only the named top-level fields, in its own order, without decoding it. */
export function withFields(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  const kept: ByteRange[] = [];
  walkNamed({ bytes, names }, ({ at, end }) => kept.push({ from: at, to: end }));
  return joinRanges(bytes, kept);
}

/** The document without the named top-level fields. */
export function withoutFields(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  const kept: ByteRange[] = [];
  let from = 4;
  walk({ bytes, offset: 0 }, ({ name, at, end }) => {
    if (!names.has(name)) return true;
    if (at > from) kept.push({ from, to: at });
    from = end;
    return true;
  });
  kept.push({ from, to: bytes.length - 1 });
  return joinRanges(bytes, kept);
}

function joinRanges(bytes: Buffer, kept: readonly ByteRange[]): Buffer {
  const size = kept.reduce((sum, { from, to }) => sum + to - from, 5);
  const result = Buffer.allocUnsafe(size);
  let at = result.writeInt32LE(size);
  for (const { from, to } of kept) at += bytes.copy(result, at, from, to);
  result[at] = 0;
  return result;
}
