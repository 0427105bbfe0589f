/** First and last code point, both inclusive. */
export type CodePointRange = readonly [number, number];

export interface CharacterSet {
  kind: 'set';
  ranges: readonly CodePointRange[];
  classes: readonly string[];
  negated: boolean;
  ignoreCase: boolean;
}

export type Pattern =
  | CharacterSet
  | { kind: 'assertion'; text: string }
  | { kind: 'all' | 'either'; parts: readonly Pattern[] }
  | { kind: 'repeat'; part: Pattern; min: number; max: number };

export type ErrorAt = (at: number, rule: string) => Error;

export interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

/** Characters are code points. */
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
