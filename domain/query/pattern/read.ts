import { bracketed } from './characters.ts';
import { escapedCharacter, perlClass, unicodeClass } from './escapes.ts';
import { setOf } from './tree.ts';
import type { CharacterSet, Flags, Pattern, Reader, Refuse } from './tree.ts';

const MAX_REPEATS = 1000;
const MAX_DEPTH = 50;
const LINE_FEED = 10;
const ASSERTIONS: Record<string, string> = { A: '^', z: '\\z', b: '\\b', B: '\\B' };

/**
 * Reads a pattern in RE2's syntax. Throws what `refuse` makes of the first character that has no
 * place in it.
 */
export function readPattern(
  text: string,
  { ignoreCase, refuse }: { ignoreCase: boolean; refuse: Refuse },
): Pattern {
  const reader: Reader = { characters: Array.from(text), at: 0, refuse };
  const pattern = alternatives(reader, { i: ignoreCase, m: false, s: false }, 0);
  if (reader.at < reader.characters.length) throw refuse(reader.at, '")" closes nothing');
  return pattern;
}

function alternatives(reader: Reader, given: Flags, depth: number): Pattern {
  if (depth > MAX_DEPTH) throw reader.refuse(reader.at, `groups nest ${MAX_DEPTH} levels at most`);
  const flags = { ...given };
  const parts = [sequence(reader, flags, depth)];
  while (reader.characters[reader.at] === '|') {
    reader.at += 1;
    parts.push(sequence(reader, flags, depth));
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: 'either', parts };
}

// Flags that are set within a group hold until it ends, over its alternatives too.
function sequence(reader: Reader, flags: Flags, depth: number): Pattern {
  const parts: Pattern[] = [];
  for (let next = reader.characters[reader.at]; next !== undefined; next = reader.characters[reader.at]) {
    if (next === '|' || next === ')') break;
    if (setsFlags(reader, flags)) continue;
    const quoted = quotation(reader, flags);
    const last = quoted?.pop() ?? (quoted ? undefined : atom(reader, flags, depth));
    parts.push(...(quoted ?? []));
    if (last) parts.push(repeated(reader, last));
  }
  return { kind: 'all', parts };
}

function setsFlags(reader: Reader, flags: Flags): boolean {
  const [whole, on = '', off = ''] = /^\(\?([imsU]*)(?:-([imsU]+))?\)/.exec(ahead(reader, 20)) ?? [];
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

function quotation(reader: Reader, flags: Flags): CharacterSet[] | undefined {
  if (ahead(reader, 2) !== '\\Q') return undefined;
  const rest = reader.characters.slice(reader.at + 2);
  const end = rest.findIndex((one, at) => one === '\\' && rest[at + 1] === 'E');
  const quoted = end < 0 ? rest : rest.slice(0, end);
  reader.at += 2 + quoted.length + (end < 0 ? 0 : 2);
  return quoted.map((one) => literal(one.codePointAt(0) ?? 0, flags));
}

function atom(reader: Reader, flags: Flags, depth: number): Pattern {
  const next = reader.characters[reader.at] ?? '';
  if (next === '(') return group(reader, flags, depth);
  if (next === '[') return bracketed(reader, flags);
  if (next === '\\') return escape(reader, flags);
  if ('*+?'.includes(next) || repetition(reader)) {
    throw reader.refuse(reader.at, `"${next}" repeats nothing`);
  }
  reader.at += 1;
  if (next === '^') return { kind: 'assertion', text: flags.m ? '(?m:^)' : '^' };
  if (next === '$') return { kind: 'assertion', text: flags.m ? '(?m:$)' : '\\z' };
  if (next === '.') return anyCharacter(flags);
  return literal(next.codePointAt(0) ?? 0, flags);
}

function anyCharacter(flags: Flags): CharacterSet {
  return { ...setOf(flags.s ? [] : [[LINE_FEED, LINE_FEED]], { i: false }), negated: true };
}

function literal(point: number, flags: Flags): CharacterSet {
  return setOf([[point, point]], flags);
}

function escape(reader: Reader, flags: Flags): Pattern {
  const assertion = ASSERTIONS[reader.characters[reader.at + 1] ?? ''];
  if (assertion !== undefined) {
    reader.at += 2;
    return { kind: 'assertion', text: assertion };
  }
  const perl = perlClass(reader);
  if (perl) return setOf(perl, flags);
  const unicode = unicodeClass(reader, flags);
  if (unicode !== undefined) return { ...setOf([], flags), classes: [unicode] };
  return literal(escapedCharacter(reader), flags);
}

function group(reader: Reader, flags: Flags, depth: number): Pattern {
  const start = reader.at;
  const opening = /^\((?:\?P?<\w+>|\?([imsU]*)(?:-([imsU]+))?:|(?!\?))/.exec(ahead(reader, 200));
  if (!opening) throw reader.refuse(start, '"(?" is followed by something that RE2 does not know');
  reader.at += opening[0].length;
  const inner = { ...flags };
  change(inner, opening[1] ?? '', opening[2] ?? '');
  const pattern = alternatives(reader, inner, depth + 1);
  if (reader.characters[reader.at] !== ')') throw reader.refuse(start, '"(" is not closed');
  reader.at += 1;
  return pattern;
}

function repeated(reader: Reader, part: Pattern): Pattern {
  const start = reader.at;
  const found = repetition(reader);
  if (!found) return part;
  reader.at += found.length;
  if (reader.characters[reader.at] === '?') reader.at += 1;
  if (repetition(reader)) throw reader.refuse(reader.at, 'a repetition cannot be repeated');
  const { min, max } = found;
  if (min > max && max >= 0) throw reader.refuse(start, 'a repetition must not end before it begins');
  const repeat: Pattern = { kind: 'repeat', part, min, max };
  if (Math.max(min, max, 1) > MAX_REPEATS || timesOf(repeat) > MAX_REPEATS) {
    throw reader.refuse(start, `a repetition counts to ${MAX_REPEATS} at most`);
  }
  return repeat;
}

/** `max` is -1 where there is no end. */
function repetition(reader: Reader): { min: number; max: number; length: number } | undefined {
  const text = ahead(reader, 14);
  if (text.startsWith('*')) return { min: 0, max: -1, length: 1 };
  if (text.startsWith('+')) return { min: 1, max: -1, length: 1 };
  if (text.startsWith('?')) return { min: 0, max: 1, length: 1 };
  const [whole, min, comma, max] = /^\{(\d{1,5})(,(\d{1,5})?)?\}/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const last = comma === undefined ? Number(min) : -1;
  return { min: Number(min), max: max === undefined ? last : Number(max), length: whole.length };
}

/** How often the innermost part of nested counted repetitions is repeated. */
function timesOf(pattern: Pattern): number {
  if (pattern.kind === 'repeat') {
    return Math.max(pattern.min, pattern.max, 1) * timesOf(pattern.part);
  }
  return 'parts' in pattern ? Math.max(1, ...pattern.parts.map(timesOf)) : 1;
}

function ahead(reader: Reader, length: number): string {
  return reader.characters.slice(reader.at, reader.at + length).join('');
}
