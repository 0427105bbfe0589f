import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { mkdir } from 'node:fs/promises';
import { runChaos } from './chaos.ts';
import { createJournal } from './journal.ts';

/**
 * By default, every run uses the same seed, and so the same faults at any speed of the machine.
 * `npm run chaos` without `--seed` uses a new seed each time.
 */
const seed = Number(process.env['CHAOS_SEED'] ?? 1988);
const FAULTS_PER_LANE = 4;

/** A short version of `npm run chaos` (docs/chaos.md). */
test(
  'the product keeps its guarantees through kills, freezes, full disks, bad networks, bad receivers and wrong clocks',
  { timeout: 900_000 },
  async () => {
    await mkdir('build-output', { recursive: true });
    const journal = createJournal('build-output/chaos.log');
    const folder = await temporaryFolder('parlance-chaos-');
    await runChaos({ seed, bounds: { faultsPerLane: FAULTS_PER_LANE }, folder: folder.path, journal });
    for (const line of journal.summary()) journal.say(line);
    await journal.close();
    expect(journal.violations(), `seed ${seed}; build-output/chaos.log tells what happened`).toEqual([]);
    await folder.remove();
  },
);
