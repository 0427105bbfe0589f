import type { Db } from 'mongodb';
import type { BenchCase } from './cases.ts';

/** Results of a case in one round. `cpuMs` is the store's CPU time per call. */
export interface RoundMeasurement {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
}

const ROUND_MS = 1_000;

/** Runs a case for a second. The first call gets the number `counted`. */
export async function measure(
  one: BenchCase,
  { db, counted }: { db: Db; counted: number },
): Promise<RoundMeasurement> {
  const times: number[] = [];
  let next = counted;
  const cpuBefore = await measureCpuMs(db);
  const start = performance.now();
  const caller = async () => {
    while (performance.now() - start < ROUND_MS) {
      const before = performance.now();
      await one.call(next++);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: one.inFlight }, caller));
  const elapsed = performance.now() - start;
  const cpuMs = ((await measureCpuMs(db)) - cpuBefore) / times.length;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { perSecond: (times.length * 1_000) / elapsed, p50: at(0.5), p99: at(0.99), cpuMs };
}

export async function measureCpuMs(db: Db): Promise<number> {
  const { extra_info: used } = await db.command({ serverStatus: 1 });
  return (Number(used.user_time_us) + Number(used.system_time_us)) / 1_000;
}

/** Formats the medians of a case, and the median ratio to another case with minimum and maximum. */
export function formatRow(one: BenchCase, rounds: ReadonlyMap<string, RoundMeasurement[]>): string {
  const own = rounds.get(one.name) ?? [];
  const middle = (of: (round: RoundMeasurement) => number) => median(own.map(of));
  const figures = [
    `${middle((round) => round.perSecond).toFixed(0)}/s`.padStart(9),
    `p50 ${middle((round) => round.p50).toFixed(2)} ms`.padStart(13),
    `p99 ${middle((round) => round.p99).toFixed(2)} ms`.padStart(14),
    `CPU ${middle((round) => round.cpuMs).toFixed(3)} ms`.padStart(14),
  ];
  return [one.name.padEnd(27), ...figures, formatRatio(one, rounds)].join('  ').trimEnd();
}

function formatRatio({ name, against }: BenchCase, rounds: ReadonlyMap<string, RoundMeasurement[]>): string {
  if (!against) return '';
  const of = ({ perSecond, p50 }: RoundMeasurement) => (against.of === 'rate' ? perSecond : p50);
  const floor = rounds.get(against.name) ?? [];
  const ratios = (rounds.get(name) ?? []).map((round, n) => of(round) / of(floor[n] ?? round));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const { atMost, atLeast } = against.goal ?? {};
  const ratio = median(ratios);
  const met = ratio <= (atMost ?? Infinity) && ratio >= (atLeast ?? 0);
  const goal = atMost === undefined ? atLeast && `at least ${atLeast}` : `at most ${atMost}`;
  const verdict = goal ? ` (goal: ${goal}, ${met ? 'met' : 'NOT MET'})` : '';
  const spread = `${ratio.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
  return `${against.of} ${spread} of: ${against.name}${verdict}`;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
