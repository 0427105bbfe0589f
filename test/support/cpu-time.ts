/** Returns the CPU milliseconds of this process so far, independent of other programs. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Compared {
  run: () => unknown;
  /** Typical work of a caller, large enough to measure. */
  honest: () => unknown;
  /** A ratio below this limit ends the comparison, because more rounds can only lower the ratio. */
  enough: number;
}

const ROUNDS = 5;

/**
 * Returns the CPU time of `run` divided by that of `honest`: the minimum of up to five rounds. Each
 * round runs both functions. Compilation and garbage collection raise the ratio of some rounds, but
 * hardly the minimum.
 */
export async function cpuRatio({ run, honest, enough }: Compared): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least >= enough; round += 1) {
    const honestMs = await measureCpuTime(honest);
    least = Math.min(least, (await measureCpuTime(run)) / honestMs);
  }
  return least;
}

/** Returns the CPU milliseconds that this process uses until `run` settles. */
export async function measureCpuTime(run: () => unknown): Promise<number> {
  const startedAt = cpuTimeMs();
  await run();
  return cpuTimeMs() - startedAt;
}
