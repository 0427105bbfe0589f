import type { Case, Extra } from './case.ts';
import { load } from './load.ts';
import type { Measured } from './load.ts';

export interface Round extends Measured {
  /** CPU milliseconds of all processes that do the work, per call; NaN: unknown. */
  cpuMs: number;
  extras: Extra[];
}

export interface Plan {
  repeats: number;
  seconds: number;
}

const WARM_UP_SECONDS = 60;

/** Returns the cases with a matching name, and their `floor` cases. */
export function withFloors(cases: readonly Case[], wanted: RegExp): Case[] {
  const chosen = cases.filter(({ name }) => wanted.test(name));
  const floors = new Set(chosen.map(({ floor }) => floor));
  return cases.filter((one) => chosen.includes(one) || floors.has(one.name));
}

/**
 * Measures all cases in every round, so that a noisy minute affects all cases alike. Starts with an
 * unmeasured warm-up round of a minute.
 */
export async function measureAll(
  cases: readonly Case[],
  { repeats, seconds }: Plan,
): Promise<Map<Case, Round[]>> {
  const measured = new Map<Case, Round[]>(cases.map((one) => [one, []]));
  for (let round = 0; round <= repeats; round += 1) {
    for (const one of cases) {
      const isWarmUp = round === 0;
      const before = await one.cpuMs?.();
      const figures = await load(one.work, {
        inFlight: one.inFlight,
        seconds: isWarmUp ? Math.max(1, WARM_UP_SECONDS / cases.length) : seconds,
      });
      const extras = (await one.after?.()) ?? [];
      const cpuMs = ((await one.cpuMs?.()) ?? Number.NaN) - (before ?? Number.NaN);
      if (!isWarmUp) measured.get(one)?.push({ ...figures, cpuMs: cpuMs / figures.count, extras });
    }
    process.stderr.write(round === 0 ? 'warmed up\n' : `round ${round} of ${repeats}\n`);
  }
  return measured;
}
