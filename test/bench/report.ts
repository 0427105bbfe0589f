import type { Case } from './case.ts';
import type { Cost } from './cost.ts';
import type { Lateness } from './delays.ts';
import { spreadOf } from './load.ts';
import type { Spread } from './load.ts';
import type { Round } from './measure.ts';

/** One case over all rounds. Ratios are computed round by round. */
export interface Row {
  name: string;
  perSecond: Spread;
  p50: Spread;
  p99: Spread;
  /** CPU milliseconds per call; absent if unknown. */
  cpuMs?: Spread;
  floor?: string;
  rateRatio?: Spread;
  p50Ratio?: Spread;
  cpuRatio?: Spread;
  extras: { name: string; value: Spread; atMost?: number }[];
  /** Whether the medians meet all goals; absent: no goals. */
  met?: boolean;
  goals: string[];
}

export function rowsOf(measured: ReadonlyMap<Case, readonly Round[]>): Row[] {
  const byName = new Map([...measured].map(([{ name }, rounds]) => [name, rounds]));
  return [...measured].map(([one, rounds]) => {
    const floors = one.floor === undefined ? undefined : byName.get(one.floor);
    const over = (of: (round: Round) => number) => spreadOf(rounds.map(of));
    const ratio = (of: (round: Round) => number) =>
      floors && spreadOf(rounds.map((round, n) => of(round) / of(floors[n] ?? round)));
    const rateRatio = ratio(({ perSecond }) => perSecond);
    const p50Ratio = ratio(({ p50 }) => p50);
    const [cpuMs, cpuRatio] = [over(cpuOf), ratio(cpuOf)];
    const extras = extrasOf(rounds);
    const spread = over(({ p50, p99 }) => p99 / p50).median;
    const judged = judge(one, { rateRatio, p50Ratio, cpuRatio, extras, spread });
    return {
      name: one.name,
      perSecond: over(({ perSecond }) => perSecond),
      p50: over(({ p50 }) => p50),
      p99: over(({ p99 }) => p99),
      ...(one.floor === undefined || !rateRatio || !p50Ratio
        ? {}
        : { floor: one.floor, rateRatio, p50Ratio }),
      ...(Number.isNaN(cpuMs.median) ? {} : { cpuMs }),
      ...(cpuRatio && !Number.isNaN(cpuRatio.median) ? { cpuRatio } : {}),
      extras,
      goals: judged.map(({ goal }) => goal),
      ...(judged.length > 0 ? { met: judged.every(({ met }) => met) } : {}),
    };
  });
}

function cpuOf({ cpuMs }: Round): number {
  return cpuMs;
}

function extrasOf(rounds: readonly Round[]): Row['extras'] {
  return (rounds[0]?.extras ?? []).map(({ name, atMost }, at) => ({
    name,
    value: spreadOf(rounds.map(({ extras }) => extras[at]?.value ?? Number.NaN)),
    ...(atMost === undefined ? {} : { atMost }),
  }));
}

interface Ratios {
  /** The ratio of p99 to median within this case. */
  spread: number;
  rateRatio: Spread | undefined;
  p50Ratio: Spread | undefined;
  cpuRatio: Spread | undefined;
  extras: Row['extras'];
}

function judge({ goal = {} }: Case, { rateRatio, p50Ratio, cpuRatio, extras, spread }: Ratios) {
  const judged: { goal: string; met: boolean }[] = [];
  if (goal.rate !== undefined && rateRatio)
    judged.push({ goal: `rate ≥ ${goal.rate}`, met: rateRatio.median >= goal.rate });
  if (goal.p50 !== undefined && p50Ratio)
    judged.push({ goal: `p50 ≤ ${goal.p50}`, met: p50Ratio.median <= goal.p50 });
  if (goal.cpu !== undefined && cpuRatio)
    judged.push({ goal: `CPU ≤ ${goal.cpu}`, met: cpuRatio.median <= goal.cpu });
  if (goal.spread !== undefined)
    judged.push({ goal: `p99 / p50 ≤ ${goal.spread}`, met: spread <= goal.spread });
  for (const { name, value, atMost } of extras)
    if (atMost !== undefined) judged.push({ goal: `${name} ≤ ${atMost}`, met: value.median <= atMost });
  return judged;
}

export function printRows(rows: readonly Row[]): void {
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          'per second': row.perSecond.median.toFixed(0),
          'p50 ms': row.p50.median.toFixed(1),
          'p99 ms': row.p99.median.toFixed(1),
          'CPU ms': row.cpuMs?.median.toFixed(1) ?? '',
          'rate / floor': shown(row.rateRatio),
          'p50 / floor': shown(row.p50Ratio),
          'CPU / floor': shown(row.cpuRatio),
          goal: row.goals.join(', '),
          met: row.met === undefined ? '' : row.met ? 'yes' : 'NO',
        },
      ]),
    ),
  );
  for (const { name, extras } of rows)
    for (const extra of extras) console.log(`${name}: ${extra.name} ${shown(extra.value)}`);
}

export function printCost({ messages, cpuMs, history, bytes }: Cost): void {
  console.log(`cost per message, over ${messages} lone posts at 32 in flight:`);
  for (const [name, ms] of Object.entries(cpuMs))
    console.log(`  CPU of ${name}: ${ms?.toFixed(2) ?? '?'} ms`);
  console.log(`  history: ${history.events.toFixed(1)} events, ${history.bytes.toFixed(0)} bytes`);
  console.log(
    `  on disk: store ${bytes.store.toFixed(0)} bytes, Temporal ${bytes.temporal.toFixed(0)} bytes`,
  );
}

const MAX_LATE_MS = 1_000;

export function printLateness(lateness: Lateness & { name: string }): void {
  const { name, messages, postsPerSecond, medianMs, lastMs } = lateness;
  const verdict = lastMs <= MAX_LATE_MS ? 'met' : 'NOT met';
  console.log(
    `${name}: ${messages} delayed messages due at one moment, beside ${postsPerSecond.toFixed(0)} posts/s: ` +
      `median ${medianMs.toFixed(0)} ms late, the last ${lastMs.toFixed(0)} ms (goal ≤ ${MAX_LATE_MS}: ${verdict})`,
  );
}

function shown(spread: Spread | undefined): string {
  if (!spread) return '';
  return `${spread.median.toFixed(2)} (${spread.min.toFixed(2)}–${spread.max.toFixed(2)})`;
}
