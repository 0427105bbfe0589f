import { escapedCharacter, perlClass, unicodeClass, posixClass } from './escapes.ts';
import { buildCharacterSet } from './tree.ts';
import type { CharacterSet, Flags, Pattern, PatternReader, ErrorAt, CodePointRange } from './tree.ts';

const MAX_REPEATS = 1000;
const MAX_DEPTH = 50;
const LINE_FEED = 10;
const ASSERTIONS: Record<string, string> = { A: '^', z: '\\z', b: '\\b', B: '\\B' };

export function readPattern(
  text: string,
  { ignoreCase, errorAt }: { ignoreCase: boolean; errorAt: ErrorAt },
): Pattern {
  const reader: PatternReader = { characters: Array.from(text), at: 0, errorAt };
  const pattern = readAlternatives(reader, { i: ignoreCase, m: false, s: false }, 0);
  if (reader.at < reader.characters.length) throw errorAt(reader.at, '")" closes nothing');
  return pattern;
}

function readAlternatives(reader: PatternReader, given: Flags, depth: number): Pattern {
  if (depth > MAX_DEPTH) throw reader.errorAt(reader.at, `groups nest ${MAX_DEPTH} levels at most`);
  const flags = { ...given };
  const parts = [readSequence(reader, flags, depth)];
  while (reader.characters[reader.at] === '|') {
    reader.at += 1;
    parts.push(readSequence(reader, flags, depth));
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: 'either', parts };
}

// Flags apply until the group's end, across alternatives.
function readSequence(reader: PatternReader, flags: Flags, depth: number): Pattern {
  const parts: Pattern[] = [];
  for (let next = reader.characters[reader.at]; next !== undefined; next = reader.characters[reader.at]) {
    if (next === '|' || next === ')') break;
    if (setsFlags(reader, flags)) continue;
    const quoted = quotation(reader, flags);
    const last = quoted?.pop() ?? (quoted ? undefined : readAtom(reader, flags, depth));
    parts.push(...(quoted ?? []));
    if (last) parts.push(repeated(reader, last));
  }
  return { kind: 'all', parts };
}

function setsFlags(reader: PatternReader, flags: Flags): boolean {
  const [whole, on = '', off = ''] = /^\(\?([imsU]*)(?:-([imsU]+))?\)/.exec(peekText(reader, 20)) ?? [];
  if (whole === undefined || whole === '(?)') return false;
  reader.at += whole.length;
  change(flags, on, off);
  return true;
}

function change(flags: Flags, on: string, off: string): void {
  for (const flag of ['i', 'm', 's'] as const) {
    if (on.includes(flag)) flags[flag] = true;
    if (off.includes(flag)) flags[flag] = false;
  }
}

function quotation(reader: PatternReader, flags: Flags): CharacterSet[] | undefined {
  if (peekText(reader, 2) !== '\\Q') return undefined;
  const rest = reader.characters.slice(reader.at + 2);
  const end = rest.findIndex((one, at) => one === '\\' && rest[at + 1] === 'E');
  const quoted = end < 0 ? rest : rest.slice(0, end);
  reader.at += 2 + quoted.length + (end < 0 ? 0 : 2);
  return quoted.map((one) => literal(one.codePointAt(0) ?? 0, flags));
}

function readAtom(reader: PatternReader, flags: Flags, depth: number): Pattern {
  const next = reader.characters[reader.at] ?? '';
  if (next === '(') return readGroup(reader, flags, depth);
  if (next === '[') return readBracketed(reader, flags);
  if (next === '\\') return readEscape(reader, flags);
  if ('*+?'.includes(next) || readRepetition(reader)) {
    throw reader.errorAt(reader.at, `"${next}" repeats nothing`);
  }
  reader.at += 1;
  if (next === '^') return { kind: 'assertion', text: flags.m ? '(?m:^)' : '^' };
  if (next === '$') return { kind: 'assertion', text: flags.m ? '(?m:$)' : '\\z' };
  if (next === '.') return anyCharacter(flags);
  return literal(next.codePointAt(0) ?? 0, flags);
}

function anyCharacter(flags: Flags): CharacterSet {
  return { ...buildCharacterSet(flags.s ? [] : [[LINE_FEED, LINE_FEED]], { i: false }), negated: true };
}

function literal(point: number, flags: Flags): CharacterSet {
  return buildCharacterSet([[point, point]], flags);
}

function readEscape(reader: PatternReader, flags: Flags): Pattern {
  const assertion = ASSERTIONS[reader.characters[reader.at + 1] ?? ''];
  if (assertion !== undefined) {
    reader.at += 2;
    return { kind: 'assertion', text: assertion };
  }
  const perl = perlClass(reader);
  if (perl) return buildCharacterSet(perl, flags);
  const unicode = unicodeClass(reader, flags);
  if (unicode !== undefined) return { ...buildCharacterSet([], flags), classes: [unicode] };
  return literal(escapedCharacter(reader), flags);
}

function readGroup(reader: PatternReader, flags: Flags, depth: number): Pattern {
  const start = reader.at;
  const opening = /^\((?:\?P?<\w+>|\?([imsU]*)(?:-([imsU]+))?:|(?!\?))/.exec(peekText(reader, 200));
  if (!opening) throw reader.errorAt(start, '"(?" is followed by something that RE2 does not know');
  reader.at += opening[0].length;
  const inner = { ...flags };
  change(inner, opening[1] ?? '', opening[2] ?? '');
  const pattern = readAlternatives(reader, inner, depth + 1);
  if (reader.characters[reader.at] !== ')') throw reader.errorAt(start, '"(" is not closed');
  reader.at += 1;
  return pattern;
}

function repeated(reader: PatternReader, part: Pattern): Pattern {
  const start = reader.at;
  const found = readRepetition(reader);
  if (!found) return part;
  reader.at += found.length;
  if (reader.characters[reader.at] === '?') reader.at += 1;
  if (readRepetition(reader)) throw reader.errorAt(reader.at, 'a repetition cannot be repeated');
  const { min, max } = found;
  if (min > max && max >= 0) throw reader.errorAt(start, 'a repetition must not end before it begins');
  const repeat: Pattern = { kind: 'repeat', part, min, max };
  if (Math.max(min, max, 1) > MAX_REPEATS || countRepetitions(repeat) > MAX_REPEATS) {
    throw reader.errorAt(start, `a repetition counts to ${MAX_REPEATS} at most`);
  }
  return repeat;
}

/** Returns `max` -1 if unbounded. */
function readRepetition(reader: PatternReader): { min: number; max: number; length: number } | undefined {
  const text = peekText(reader, 14);
  if (text.startsWith('*')) return { min: 0, max: -1, length: 1 };
  if (text.startsWith('+')) return { min: 1, max: -1, length: 1 };
  if (text.startsWith('?')) return { min: 0, max: 1, length: 1 };
  const [whole, min, comma, max] = /^\{(\d{1,5})(,(\d{1,5})?)?\}/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const last = comma === undefined ? Number(min) : -1;
  return { min: Number(min), max: max === undefined ? last : Number(max), length: whole.length };
}

function countRepetitions(pattern: Pattern): number {
  if (pattern.kind === 'repeat') {
    return Math.max(pattern.min, pattern.max, 1) * countRepetitions(pattern.part);
  }
  return 'parts' in pattern ? Math.max(1, ...pattern.parts.map(countRepetitions)) : 1;
}

function peekText(reader: PatternReader, length: number): string {
  return reader.characters.slice(reader.at, reader.at + length).join('');
}

function readBracketed(reader: PatternReader, flags: Flags): CharacterSet {
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
