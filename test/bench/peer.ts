import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spreadOf } from './load.ts';
import type { Row } from './report.ts';

/** One measurement in the JSON output of another product's benchmark. */
interface Cell {
  cell: string;
  concurrency: number;
  perSecond: number;
  p50: number;
  /** Milliseconds from the post to the arrival at the bot, if the cell measures them. */
  arrival?: { p50: number };
}

/** Results of the peer over all runs of its benchmark. */
interface Peer {
  name: string;
  cells: Cell[];
}

interface Compared {
  cell: string;
  concurrency: number;
  /** Minimum ratio of our rate to the peer's. */
  rate?: number;
  /** Maximum ratio of our webhook arrival to the peer's. */
  arrival?: number;
}

/** Cells of the peer by the name of our case with the same work. */
const SAME_WORK: Readonly<Record<string, Compared>> = {
  'lone posts, 1 in flight': { cell: 'post', concurrency: 1 },
  'lone posts, 8 in flight': { cell: 'post', concurrency: 8 },
  'lone posts, 32 in flight': { cell: 'post', concurrency: 32, rate: 1.8 },
  'one hot conversation, 32 in flight': { cell: 'hot', concurrency: 32, rate: 12 },
  'new conversations, 32 in flight': { cell: 'new', concurrency: 32 },
  'lone posts with a webhook, 1 in flight': { cell: 'deliver', concurrency: 1 },
  'lone posts with a webhook, 32 in flight': { cell: 'deliver', concurrency: 32, arrival: 1 / 6 },
};

/**
 * Reads the peer's results from all `*.json` of the folder. Rejects without such a file. The
 * machine's speed does not cancel out of the ratios, because the two products run at different
 * times. Run the two benchmarks in turns.
 */
export async function readPeer(folder: string): Promise<Peer> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  if (files.length === 0) throw new Error(`${folder} has no JSON of a peer's harness.`);
  const runs = await Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as PeerRun),
  );
  return {
    name: `${runs[0]?.peer ?? 'peer'} ${runs[0]?.version ?? ''}`.trim(),
    cells: runs.flatMap(({ cells }) => cells),
  };
}

interface PeerRun {
  peer: string;
  version: string;
  cells: Cell[];
}

/** Prints the table of work that both products do. */
export function printPeer(rows: readonly Row[], { name, cells }: Peer): void {
  console.log(`beside ${name}:`);
  const lines = rows.flatMap((row) => {
    const same = SAME_WORK[row.name];
    const theirs =
      same && cells.filter((one) => one.cell === same.cell && one.concurrency === same.concurrency);
    return same && theirs?.length ? [[row.name, lineOf(row, same, theirs)] as const] : [];
  });
  console.table(Object.fromEntries(lines));
}

function lineOf(row: Row, same: Compared, theirs: readonly Cell[]) {
  const [rate, p50, arrival] = [
    medianOf(theirs.map(({ perSecond }) => perSecond)),
    medianOf(theirs.map((one) => one.p50)),
    medianOf(theirs.flatMap((one) => one.arrival?.p50 ?? [])),
  ];
  const ours = row.extras.find(({ name }) => name === 'arrival p50 ms')?.value.median ?? Number.NaN;
  const [rateRatio, arrivalRatio] = [row.perSecond.median / rate, ours / arrival];
  const goals = [
    ...(same.rate === undefined ? [] : [{ goal: `rate ≥ ${same.rate}`, met: rateRatio >= same.rate }]),
    ...(same.arrival === undefined
      ? []
      : [{ goal: `arrival ≤ ${same.arrival.toFixed(2)}`, met: arrivalRatio <= same.arrival }]),
  ];
  return {
    'theirs per second': rate.toFixed(0),
    'rate / theirs': rateRatio.toFixed(2),
    'p50 / theirs': (row.p50.median / p50).toFixed(2),
    'arrival / theirs': Number.isNaN(arrivalRatio) ? '' : arrivalRatio.toFixed(2),
    goal: goals.map(({ goal }) => goal).join(', '),
    met: goals.length === 0 ? '' : goals.every(({ met }) => met) ? 'yes' : 'NO',
  };
}

function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}
