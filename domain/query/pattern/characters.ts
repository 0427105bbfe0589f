import { escapedCharacter, perlClass, posixClass, unicodeClass } from './escapes.ts';
import type { CharacterSet, Flags, CodePointRange, PatternReader } from './tree.ts';

/** Reads `[…]`; the reader stands on the bracket. */
export function readBracketed(reader: PatternReader, flags: Flags): CharacterSet {
  const start = reader.at;
  reader.at += 1;
  const negated = reader.characters[reader.at] === '^';
  if (negated) reader.at += 1;
  const ranges: CodePointRange[] = [];
  const classes: string[] = [];
  for (let first = true; first || reader.characters[reader.at] !== ']'; first = false) {
    if (reader.at >= reader.characters.length) throw reader.errorAt(start, '"[" is not closed');
    const unicode = unicodeClass(reader, flags);
    if (unicode !== undefined) classes.push(unicode);
    else ranges.push(...(posixClass(reader) ?? perlClass(reader) ?? [readRange(reader)]));
  }
  reader.at += 1;
  return { kind: 'set', ranges, classes, negated, ignoreCase: flags.i };
}

function readRange(reader: PatternReader): CodePointRange {
  const start = reader.at;
  const first = readCharacter(reader);
  const [dash, next] = reader.characters.slice(reader.at, reader.at + 2);
  if (dash !== '-' || next === undefined || next === ']') return [first, first];
  reader.at += 1;
  const last = readCharacter(reader);
  if (last < first) throw reader.errorAt(start, 'a range must not end before it begins');
  return [first, last];
}

function readCharacter(reader: PatternReader): number {
  const found = reader.characters[reader.at];
  if (found === undefined) throw reader.errorAt(reader.at, '"[" is not closed');
  if (found === '\\') return escapedCharacter(reader);
  reader.at += 1;
  return found.codePointAt(0) ?? 0;
}
