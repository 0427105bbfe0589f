import { spreadOf } from '../load.ts';
import type { Spread as Range } from '../load.ts';
import type { Open } from './open.ts';
import type { Answered, Spread } from './spread.ts';
import type { Turn } from './throughput.ts';

/** Prints a table of all rounds by number of workers and APIs. */
export function printThroughput(turns: readonly Turn[]): void {
  const nameOf = ({ workers, apis }: Turn) => `${workers} workers, ${apis} APIs`;
  const sizes = [...new Set(turns.map(nameOf))];
  const rows = sizes.map((name) => [name, turns.filter((turn) => nameOf(turn) === name)] as const);
  const shownRows = rows.map(([name, all]) => {
    const ratio = spreadOf(
      all.map((turn, round) => turn.perSecond / oneWorkerOf(turns, turn, round).perSecond),
    );
    return [name, { ...figures(all), 'rate / one worker': shown(ratio) }] as const;
  });
  if (rows.length > 0) console.table(Object.fromEntries(shownRows));
}

/** Returns the turn with one worker and the same number of APIs in the same round. */
function oneWorkerOf(turns: readonly Turn[], { apis }: Turn, round: number): Turn {
  const found = turns.filter((turn) => turn.workers === 1 && turn.apis === apis)[round];
  if (!found) throw new Error('a round without one worker');
  return found;
}

function figures(all: readonly Turn[]) {
  const over = (of: (turn: Turn) => number) => spreadOf(all.map(of));
  const names = Object.keys(all[0]?.cpuMs ?? {});
  const cpu = names.map((name) => [
    `CPU ms ${name}`,
    over(({ cpuMs }) => cpuMs[name] ?? Number.NaN).median.toFixed(1),
  ]);
  return {
    'per second': shown(
      over(({ perSecond }) => perSecond),
      1,
    ),
    'p50 ms': over(({ p50 }) => p50).median.toFixed(0),
    'workers used': over(({ used }) => used.worker).median.toFixed(2),
    'APIs used': over(({ used }) => used.api).median.toFixed(2),
    ...Object.fromEntries(cpu),
    'worker without rest': over(withoutRest).median.toFixed(1),
    'worker at rest, ms/s': over(({ idleMs }) => idleMs).median.toFixed(0),
  };
}

/** Returns the CPU milliseconds of the workers per message, minus the CPU time of idle workers. */
function withoutRest({ cpuMs, idleMs, workers, perSecond }: Turn): number {
  return (cpuMs['worker'] ?? Number.NaN) - (idleMs * workers) / perSecond;
}

/** Prints how conversations moved when a worker died and when workers were added. */
export function printSpread({
  deaths,
  added,
}: {
  deaths: readonly Spread[];
  added: { atOnce: number; afterARun: number };
}): void {
  for (const { before, undisturbed, afterDeath, after } of deaths) {
    console.log(`shares of four workers: ${percent(before)}; of the three that lived on: ${percent(after)}`);
    console.log(`  a post to each: ${told(undisturbed)}; right after the death: ${told(afterDeath)}`);
  }
  const shares = `${percent([added.atOnce])} at once, ${percent([added.afterARun])} when each run had ended`;
  console.log(`share of two workers that came to two: ${shares}`);
}

export function printOpen(measured: readonly Open[]): void {
  for (const { conversations, startMs, memoryMb, bytes, postMs, recovery } of measured) {
    console.log(`${conversations} open conversations: ready after ${(startMs / 1000).toFixed(1)} s`);
    console.log(
      `  MB after the start: ${memory(memoryMb.started)}; with a full cache: ${memory(memoryMb.full)}`,
    );
    console.log(`  bytes of each: store ${bytes.store.toFixed(0)}, Temporal ${bytes.temporal.toFixed(0)}`);
    const ratio = (postMs.cold / postMs.warm).toFixed(2);
    console.log(`  a post: cold ${postMs.cold.toFixed(1)} ms, warm ${postMs.warm.toFixed(1)} ms: ${ratio}`);
    const { undisturbed, afterDeath } = recovery;
    console.log(`  posts: ${told(undisturbed)}; when all workers had died: ${told(afterDeath)}`);
  }
}

function told({ firstMs, allMs, slowestMs }: Answered): string {
  return `first ${firstMs.toFixed(0)} ms, all ${allMs.toFixed(0)} ms, slowest ${slowestMs.toFixed(0)} ms`;
}

function memory(mb: Record<string, number | null>): string {
  return Object.entries(mb)
    .map(([name, value]) => `${name} ${value?.toFixed(0) ?? '?'}`)
    .join(', ');
}

function percent(shares: readonly number[]): string {
  return shares.map((share) => `${(share * 100).toFixed(0)} %`).join(', ');
}

function shown({ min, median, max }: Range, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
