import { complement } from './tree.ts';
import type { CharacterSet, Pattern, CodePointRange } from './tree.ts';

const MAX_POSITIONS = 1000;
const MAX_STEPS = 200_000;

/** Part of a Glushkov automaton, whose states are positions of characters. */
interface Part {
  mayBeEmpty: boolean;
  first: number[];
  last: number[];
}

interface Automaton {
  sets: CharacterSet[];
  follow: Set<number>[];
  doubled: boolean;
}

/**
 * Returns whether a backtracking engine may need exponential time, as for `(a+)+` or `(a|a)*`. True
 * for a pattern too large to analyse.
 */
export function isAmbiguous(pattern: Pattern): boolean {
  if (pattern.kind === 'repeat' && pattern.max === -1) return isAmbiguousLoop(pattern.part);
  if (pattern.kind === 'repeat') return isAmbiguous(pattern.part);
  return 'parts' in pattern && pattern.parts.some(isAmbiguous);
}

function isAmbiguousLoop(part: Pattern): boolean {
  const automaton: Automaton = { sets: [], follow: [], doubled: false };
  const built = loop(buildPart(part, automaton), automaton);
  if (automaton.doubled || automaton.sets.length > MAX_POSITIONS) return true;
  return built.first.length > 0 && hasTwoReadings(automaton);
}

function buildPart(pattern: Pattern, automaton: Automaton): Part {
  if (automaton.sets.length > MAX_POSITIONS) return { mayBeEmpty: true, first: [], last: [] };
  switch (pattern.kind) {
    case 'assertion':
      return { mayBeEmpty: true, first: [], last: [] };
    case 'set':
      automaton.follow.push(new Set());
      automaton.sets.push(pattern);
      return { mayBeEmpty: false, first: [automaton.sets.length - 1], last: [automaton.sets.length - 1] };
    case 'all':
      return chain(
        pattern.parts.map((part) => () => buildPart(part, automaton)),
        automaton,
      );
    case 'either':
      return union(pattern.parts.map((part) => buildPart(part, automaton)));
    case 'repeat':
      return repeat(pattern, automaton);
  }
}

// Builds at most four copies: if more copies are ambiguous, these are.
function repeat({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>, automaton: Automaton): Part {
  const needed = Math.min(min, 2);
  const spare = max === -1 ? 1 : Math.min(max - min, 2);
  const copies = Array.from({ length: needed + spare }, (_, at) => () => {
    const copy = buildPart(part, automaton);
    if (at < needed) return copy;
    return { ...(max === -1 ? loop(copy, automaton) : copy), mayBeEmpty: true };
  });
  // `x+` is one repeated x, not x and `x*`.
  if (max === -1 && min === 1) return loop(buildPart(part, automaton), automaton);
  return chain(copies, automaton);
}

function chain(parts: (() => Part)[], automaton: Automaton): Part {
  return parts.reduce<Part>(
    (before, next) => {
      const after = next();
      connect(before.last, after.first, automaton);
      return {
        mayBeEmpty: before.mayBeEmpty && after.mayBeEmpty,
        first: before.mayBeEmpty ? [...before.first, ...after.first] : before.first,
        last: after.mayBeEmpty ? [...before.last, ...after.last] : after.last,
      };
    },
    { mayBeEmpty: true, first: [], last: [] },
  );
}

function union(parts: Part[]): Part {
  return {
    mayBeEmpty: parts.some(({ mayBeEmpty }) => mayBeEmpty),
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
  };
}

function loop(part: Part, automaton: Automaton): Part {
  connect(part.last, part.first, automaton);
  return part;
}

function connect(last: number[], first: number[], automaton: Automaton): void {
  for (const from of last) {
    const follow = automaton.follow[from];
    for (const to of first) {
      if (follow?.has(to)) automaton.doubled = true;
      follow?.add(to);
    }
  }
}

// Searches for two different paths with the same text, start and end.
function hasTwoReadings({ sets, follow }: Automaton): boolean {
  const count = sets.length;
  const spans = sets.map(computeSpans);
  const seen = new Set<number>();
  const waiting = sets.map((_, at) => [at, at] as const);
  let steps = 0;
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const apart = pair[0] !== pair[1];
    for (const one of follow[pair[0]] ?? []) {
      for (const other of follow[pair[1]] ?? []) {
        if (++steps > MAX_STEPS) return true;
        const key = one * count + other;
        if ((one === other && !apart) || (one !== other && seen.has(key))) continue;
        if (!hasOverlap(spans[one] ?? [], spans[other] ?? [])) continue;
        if (one === other) return true;
        seen.add(key);
        waiting.push([one, other]);
      }
    }
  }
  return false;
}

/** Returns the set's characters, or a superset if they are unknown. */
function computeSpans({ ranges, classes, negated, ignoreCase }: CharacterSet): readonly CodePointRange[] {
  if (classes.length > 0) return [[0, 0x10ffff]];
  const given = negated ? complement(ranges) : ranges;
  if (!ignoreCase) return given;
  const beyondAscii = given.some(([, last]) => last >= 0x80);
  const swapped = given.flatMap(([first, last]) => [
    ...shiftLetters([first, last], 65, 32),
    ...shiftLetters([first, last], 97, -32),
  ]);
  return [...given, ...swapped, ...(beyondAscii ? [[0x80, 0x10ffff] as const] : [])];
}

function shiftLetters([first, last]: CodePointRange, start: number, by: number): CodePointRange[] {
  const from = Math.max(first, start);
  const to = Math.min(last, start + 25);
  return from <= to ? [[from + by, to + by]] : [];
}

function hasOverlap(some: readonly CodePointRange[], others: readonly CodePointRange[]): boolean {
  return some.some(([first, last]) => others.some((other) => first <= other[1] && last >= other[0]));
}
