/** A random generator that is deterministic per seed. */
export interface Random {
  /** Returns a number from `from` up to but not including `to`. */
  between: (from: number, to: number) => number;
  integer: (from: number, to: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(of: readonly T[]) => T;
  shuffled: <T>(of: readonly T[]) => T[];
  /**
   * Returns an independent generator. The use of the new generator does not affect the existing
   * generator.
   */
  fork: (name: string) => Random;
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
  const between = (from: number, to: number) => from + next() * (to - from);
  const integer = (from: number, to: number) => Math.floor(between(from, to + 1));
  return {
    between,
    integer,
    chance: (probability) => next() < probability,
    pick: (of) => {
      const picked = of[integer(0, of.length - 1)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    shuffled: (of) =>
      of
        .map((one) => ({ one, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one),
    fork: (name) =>
      createRandom(
        Array.from(name).reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), seed),
      ),
  };
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
