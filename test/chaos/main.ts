import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runChaos } from './chaos.ts';
import { createJournal } from './journal.ts';

/**
 * `npm run chaos -- [--minutes 30] [--seed N] [--log FILE]`: exits with 1 if a guarantee was
 * broken.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    log: { type: 'string' },
  },
});
const seed = Number(values.seed);
const durationMs = Number(values.minutes) * 60_000;
if (!Number.isInteger(seed) || !(durationMs > 0))
  throw new Error('--seed is a whole number, --minutes a number above 0');
const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
const log = values.log ?? join(tmpdir(), `chaos-${stamp}.log`);
const journal = createJournal(log, (line) => process.stdout.write(`${line}\n`));
const folder = await temporaryFolder('parlance-chaos-');

await runChaos({ seed, bounds: { durationMs, roundMs: 60_000 }, folder: folder.path, journal }).catch(
  (error: unknown) => {
    journal.violated('the suite itself works', String((error as Error).stack));
  },
);
const failed = journal.violations().length > 0;
for (const line of journal.summary()) journal.say(line);
journal.say(
  failed ? `seed ${seed}; data and what the processes printed are in ${folder.path}` : `seed ${seed}`,
);
await journal.close();
process.stdout.write(`log: ${log}\n`);
if (!failed) await folder.remove();
process.exit(failed ? 1 : 0);
