/**
 * How many milliseconds of computing time this process has used so far: other programs on a busy
 * machine do not count.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Compared {
  run: () => unknown;
  /** An honest caller's work, which is large enough to be measured. */
  honest: () => unknown;
  /** A ratio below this ends the comparison: more rounds could only lower it. */
  enough: number;
}

const ROUNDS = 5;

/**
 * Returns how many times as much computing time of this process `run` takes as `honest`: the least
 * of up to five rounds, in each of which both run, one right after the other. Compiling and
 * collecting garbage can only raise the ratio of a round, not of all five.
 */
export async function cpuRatio({ run, honest, enough }: Compared): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least >= enough; round += 1) {
    const honestMs = await measureCpuTime(honest);
    least = Math.min(least, (await measureCpuTime(run)) / honestMs);
  }
  return least;
}

/** Computing time of this process, in milliseconds, in which `run` settles. */
export async function measureCpuTime(run: () => unknown): Promise<number> {
  const startedAt = cpuTimeMs();
  await run();
  return cpuTimeMs() - startedAt;
}
