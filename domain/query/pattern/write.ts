import type { CharacterSet, Pattern, CodePointRange } from './tree.ts';

const DASH = 0x2d;

/**
 * Writes a pattern in the words that RE2 and PCRE share and understand alike. `ignoreCase`: whether
 * the whole pattern is matched whatever its case.
 */
export function writePattern(pattern: Pattern, ignoreCase: boolean): string {
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
  // Nothing is gained by asserting a thing twice, and engines differ about repeating it.
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
