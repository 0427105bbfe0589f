/** First and last code point, both inclusive. */
export type CodePointRange = readonly [number, number];

export interface CharacterSet {
  kind: 'set';
  ranges: readonly CodePointRange[];
  /** Unicode classes in pattern syntax: `\p{L}`. */
  classes: readonly string[];
  negated: boolean;
  ignoreCase: boolean;
}

/** A parsed pattern. */
export type Pattern =
  | CharacterSet
  | { kind: 'assertion'; text: string }
  | { kind: 'all' | 'either'; parts: readonly Pattern[] }
  | { kind: 'repeat'; part: Pattern; min: number; max: number };

/** Creates the error for a position in the pattern. */
export type ErrorAt = (at: number, rule: string) => Error;

/** Flags of RE2. */
export interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

/** The text of a pattern and the current position. Characters are code points. */
export interface PatternReader {
  readonly characters: readonly string[];
  at: number;
  readonly errorAt: ErrorAt;
}

const LAST_CODE_POINT = 0x10ffff;

export function buildCharacterSet(
  ranges: readonly CodePointRange[],
  { i: ignoreCase }: Pick<Flags, 'i'>,
): CharacterSet {
  return { kind: 'set', ranges, classes: [], negated: false, ignoreCase };
}

/** Returns the ranges of all other code points. */
export function complement(ranges: readonly CodePointRange[]): CodePointRange[] {
  const gaps: CodePointRange[] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (first > next) gaps.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
  return gaps;
}
