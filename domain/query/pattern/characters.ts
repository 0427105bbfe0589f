import { escapedCharacter, perlClass, posixClass, unicodeClass } from './escapes.ts';
import type { CharacterSet, Flags, Range, Reader } from './tree.ts';

/** Reads `[…]`; the reader stands on the bracket. */
export function bracketed(reader: Reader, flags: Flags): CharacterSet {
  const start = reader.at;
  reader.at += 1;
  const negated = reader.characters[reader.at] === '^';
  if (negated) reader.at += 1;
  const ranges: Range[] = [];
  const classes: string[] = [];
  for (let first = true; first || reader.characters[reader.at] !== ']'; first = false) {
    if (reader.at >= reader.characters.length) throw reader.refuse(start, '"[" is not closed');
    const unicode = unicodeClass(reader, flags);
    if (unicode !== undefined) classes.push(unicode);
    else ranges.push(...(posixClass(reader) ?? perlClass(reader) ?? [range(reader)]));
  }
  reader.at += 1;
  return { kind: 'set', ranges, classes, negated, ignoreCase: flags.i };
}

function range(reader: Reader): Range {
  const start = reader.at;
  const first = character(reader);
  const [dash, next] = reader.characters.slice(reader.at, reader.at + 2);
  if (dash !== '-' || next === undefined || next === ']') return [first, first];
  reader.at += 1;
  const last = character(reader);
  if (last < first) throw reader.refuse(start, 'a range must not end before it begins');
  return [first, last];
}

function character(reader: Reader): number {
  const found = reader.characters[reader.at];
  if (found === undefined) throw reader.refuse(reader.at, '"[" is not closed');
  if (found === '\\') return escapedCharacter(reader);
  reader.at += 1;
  return found.codePointAt(0) ?? 0;
}
