import type { Case, Extra } from './case.ts';
import { load } from './load.ts';
import type { Measured } from './load.ts';

/** What one case came to in one round. */
export interface Round extends Measured {
  extras: Extra[];
}

export interface Plan {
  repeats: number;
  /** For each case in each round. */
  seconds: number;
}

/** Those of the cases whose name matches, and what they are compared with. */
export function withFloors(cases: readonly Case[], wanted: RegExp): Case[] {
  const chosen = cases.filter(({ name }) => wanted.test(name));
  const floors = new Set(chosen.map(({ floor }) => floor));
  return cases.filter((one) => chosen.includes(one) || floors.has(one.name));
}

/**
 * Measures all cases in every round, so that a noisy minute of the machine spoils no case alone. A
 * short round before is for warming up.
 */
export async function measureAll(
  cases: readonly Case[],
  { repeats, seconds }: Plan,
): Promise<Map<Case, Round[]>> {
  const measured = new Map<Case, Round[]>(cases.map((one) => [one, []]));
  for (let round = 0; round <= repeats; round += 1) {
    for (const one of cases) {
      const short = round === 0;
      const figures = await load(one.work, { inFlight: one.inFlight, seconds: short ? 1 : seconds });
      const extras = (await one.after?.()) ?? [];
      if (!short) measured.get(one)?.push({ ...figures, extras });
    }
    process.stderr.write(round === 0 ? 'warmed up\n' : `round ${round} of ${repeats}\n`);
  }
  return measured;
}
