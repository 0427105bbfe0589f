import { invalidRequest } from '../errors.ts';
import type { ValueKind } from './tree.ts';
import { isAmbiguous } from './pattern/ambiguity.ts';
import { readPattern } from './pattern/read.ts';
import { parameterErrorAt } from './query-string.ts';
import type { Piece } from './values.ts';
import type { CharacterSet, Pattern, CodePointRange } from './pattern/tree.ts';

const MAX_CHARACTERS = 256;
const NOT_TEXT: readonly unknown[] = ['number', 'boolean', 'time', 'object'];

/**
 * Compiles a pattern that all engines read alike (docs/decisions/query-patterns.md). Throws
 * DomainError `invalid_request` if it is too long, invalid or possibly exponential.
 */
export function compilePattern(
  { name, text, at }: Piece,
  { kind, ignoreCase }: { kind: ValueKind; ignoreCase: boolean },
): { pattern: string; ignoreCase: boolean } {
  if (NOT_TEXT.includes(kind)) throw invalidRequest(name, 'holds no text to search in');
  if (Array.from(text).length > MAX_CHARACTERS) {
    throw parameterErrorAt(name, at + MAX_CHARACTERS, `a pattern has ${MAX_CHARACTERS} characters at most`);
  }
  const errorAt = (where: number, rule: string) =>
    parameterErrorAt(name, at + where, `not a pattern of RE2: ${rule}`);
  const pattern = readPattern(text, { ignoreCase, errorAt });
  if (isAmbiguous(pattern)) {
    const rule = 'the pattern repeats what can be read in more than one way, as in "(a+)+"';
    throw parameterErrorAt(name, at, rule);
  }
  return { pattern: writePattern(pattern, ignoreCase), ignoreCase };
}

const DASH = 0x2d;

/** Writes the common syntax of RE2 and PCRE. `ignoreCase` applies to the whole pattern. */
function writePattern(pattern: Pattern, ignoreCase: boolean): string {
  switch (pattern.kind) {
    case 'set':
      return pattern.ignoreCase === ignoreCase || isCaseless(pattern)
        ? setText(pattern)
        : `(?${pattern.ignoreCase ? 'i' : '-i'}:${setText(pattern)})`;
    case 'assertion':
      return pattern.text;
    case 'all':
      return pattern.parts.map((part) => within(part, ignoreCase)).join('');
    case 'either':
      return pattern.parts.map((part) => writePattern(part, ignoreCase)).join('|');
    case 'repeat':
      return repeatText(pattern, ignoreCase);
  }
}

function within(part: Pattern, ignoreCase: boolean): string {
  const text = writePattern(part, ignoreCase);
  return part.kind === 'either' ? `(?:${text})` : text;
}

function repeatText({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>, ignoreCase: boolean): string {
  // Repeating an assertion has no effect, and engines differ on it.
  if (part.kind === 'assertion') return min === 0 ? '' : part.text;
  const text = writePattern(part, ignoreCase);
  const whole = part.kind === 'set' && !text.startsWith('(') ? text : `(?:${text})`;
  if (max === -1 && min < 2) return `${whole}${min === 0 ? '*' : '+'}`;
  if (min === 0 && max === 1) return `${whole}?`;
  return `${whole}{${min}${max === min ? '' : ','}${max === -1 || max === min ? '' : max}}`;
}

function isCaseless({ ranges, classes, negated }: CharacterSet): boolean {
  if (classes.length > 0) return false;
  return ranges.every(([first, last]) => !(negated && last > 0x7f) && isCaselessRange(first, last));
}

function isCaselessRange(first: number, last: number): boolean {
  if (last > 0x7f) return false;
  const letters = ['A', 'a'].some((letter) => {
    const start = letter.charCodeAt(0);
    return first <= start + 25 && last >= start;
  });
  return !letters;
}

function setText({ ranges, classes, negated }: CharacterSet): string {
  const [only] = ranges;
  if (!negated && classes.length === 0 && ranges.length === 1 && only?.[0] === only?.[1]) {
    return characterText(only?.[0] ?? 0);
  }
  if (ranges.length + classes.length === 0) return negated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]';
  return `[${negated ? '^' : ''}${ranges.map(rangeText).join('')}${classes.join('')}]`;
}

function rangeText([first, last]: CodePointRange): string {
  const [from, to] = [first, last].map((point) => (point === DASH ? '\\-' : characterText(point)));
  return first === last ? (from ?? '') : `${from}-${to}`;
}

function characterText(point: number): string {
  if (point < 0x20 || point === 0x7f) return `\\x{${point.toString(16)}}`;
  const text = String.fromCodePoint(point);
  if (point >= 0x80) return point === 0x10ffff || point < 0xa0 ? `\\x{${point.toString(16)}}` : text;
  return /[\\.+*?()[\]{}|^$]/.test(text) ? `\\${text}` : text;
}
