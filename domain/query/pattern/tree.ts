/** Code points from the first to the last, both included. */
export type CodePointRange = readonly [number, number];

/** One character out of a set. */
export interface CharacterSet {
  kind: 'set';
  ranges: readonly CodePointRange[];
  /** Unicode classes in the set, as they are written: `\p{L}`. */
  classes: readonly string[];
  negated: boolean;
  ignoreCase: boolean;
}

/** A pattern that was understood. */
export type Pattern =
  | CharacterSet
  | { kind: 'assertion'; text: string }
  | { kind: 'all' | 'either'; parts: readonly Pattern[] }
  | { kind: 'repeat'; part: Pattern; min: number; max: number };

/**
 * What a reader of patterns says about the place it has come to: it refuses the pattern with a
 * rule.
 */
export type ErrorAt = (at: number, rule: string) => Error;

/** Flags of RE2 that say how what follows is read. */
export interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

/** The text of a pattern, and how far it has been read. Characters are code points. */
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

/** Every code point that is in none of the ranges. */
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
