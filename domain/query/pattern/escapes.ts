import { complement } from './tree.ts';
import type { Flags, CodePointRange, PatternReader } from './tree.ts';

const CONTROLS: Record<string, number> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

const code = (character: string): number => character.codePointAt(0) ?? 0;
const ranges = (text: string): CodePointRange[] =>
  text.split(' ').map((pair) => [code(pair[0] ?? ''), code(pair.at(-1) ?? '')]);

const DIGIT = ranges('0-9');
const WORD = ranges('0-9 A-Z _ a-z');
// RE2's `\s` has no vertical tab, PCRE's has.
const BLANK: CodePointRange[] = [
  [9, 10],
  [12, 13],
  [32, 32],
];

const PERL: Record<string, readonly CodePointRange[]> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: BLANK,
  S: complement(BLANK),
};

const POSIX: Record<string, readonly CodePointRange[]> = {
  alnum: ranges('0-9 A-Z a-z'),
  alpha: ranges('A-Z a-z'),
  ascii: [[0, 127]],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: DIGIT,
  graph: ranges('!-~'),
  lower: ranges('a-z'),
  print: [[32, 126]],
  punct: ranges('!-/ :-@ [-` {-~'),
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: ranges('A-Z'),
  word: WORD,
  xdigit: ranges('0-9 A-F a-f'),
};

const CLASSES = new Set(
  'L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs Arabic Armenian Cyrillic Devanagari Greek Hangul Han Hebrew Hiragana Katakana Latin Thai'.split(
    ' ',
  ),
);

export function perlClass(reader: PatternReader): readonly CodePointRange[] | undefined {
  const [slash, letter = ''] = reader.characters.slice(reader.at, reader.at + 2);
  if (slash !== '\\' || !Object.hasOwn(PERL, letter)) return undefined;
  reader.at += 2;
  return PERL[letter];
}

export function posixClass(reader: PatternReader): readonly CodePointRange[] | undefined {
  const text = reader.characters.slice(reader.at, reader.at + 12).join('');
  const [whole, negated, name = ''] = /^\[:(\^?)([a-z]+):\]/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const found = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  if (!found) throw reader.errorAt(reader.at, `"${whole}" is not a class of characters`);
  reader.at += whole.length;
  return negated ? complement(found) : found;
}

/** Reads a class such as `\pL`. Returns it in a syntax that both RE2 and JavaScript accept. */
export function unicodeClass(reader: PatternReader, { i: ignoreCase }: Flags): string | undefined {
  const text = reader.characters.slice(reader.at, reader.at + 24).join('');
  const [whole, sign, negation, braced, short] = /^\\([pP])(?:\{(\^?)([A-Za-z]+)\}|([A-Z]))/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const name = braced ?? short ?? '';
  if (!CLASSES.has(name))
    throw reader.errorAt(reader.at, `"${whole}" is not a supported class of characters`);
  if (ignoreCase) throw reader.errorAt(reader.at, 'a Unicode class cannot be matched without regard to case');
  reader.at += whole.length;
  return `\\${(sign === 'P') !== (negation === '^') ? 'P' : 'p'}{${name}}`;
}

export function escapedCharacter(reader: PatternReader): number {
  const rest = reader.characters.slice(reader.at + 1, reader.at + 12).join('');
  const [first = ''] = rest;
  const control = Object.hasOwn(CONTROLS, first) ? CONTROLS[first] : undefined;
  if (control !== undefined) return consume(reader, 2, control);
  const hex = /^x(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2}))/.exec(rest);
  if (hex) return consume(reader, hex[0].length + 1, Number.parseInt(hex[1] ?? hex[2] ?? '', 16));
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
  if (octal) return consume(reader, octal[0].length + 1, Number.parseInt(octal[0], 8));
  if (first === '' || /[A-Za-z0-9]|[^\0-\x7f]/.test(first)) {
    throw reader.errorAt(reader.at, `"\\${reader.characters[reader.at + 1] ?? ''}" is not an escape of RE2`);
  }
  return consume(reader, 2, code(first));
}

function consume(reader: PatternReader, length: number, point: number): number {
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw reader.errorAt(reader.at, 'is not a character');
  }
  reader.at += length;
  return point;
}
