import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { load } from './load.ts';
import { startProduct } from './product.ts';
import { runAt } from './soak/paced.ts';
import { createSampler } from './soak/sampler.ts';
import { judge, printVerdict } from './soak/verdict.ts';
import { startTraffic } from './soak/traffic.ts';

/**
 * Runs traffic at half the highest rate for a long time (docs/benchmarks.md): `npm run soak [--
 * --minutes 30 --json FILE]`. Exits with 1 if a request failed or a check of soak/verdict.ts does
 * not hold.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, json: { type: 'string', default: 'soak.json' } },
});
const SAMPLE_EVERY_MS = 10_000;
const MAX_IN_FLIGHT = 200;

const product = await startProduct();
const connection = await Connection.connect({ address: product.temporalAddress });
const traffic = await startTraffic(product);
let ok: boolean;
try {
  await load(traffic.work, { inFlight: 32, seconds: 10 });
  const { perSecond: most } = await load(traffic.work, { inFlight: 32, seconds: 20 });
  const rate = most / 2;
  console.log(`at most ${most.toFixed(0)} requests/s; ${values.minutes} minutes at ${rate.toFixed(0)}/s`);
  const sampler = createSampler({ product, temporal: new Client({ connection }), traffic });
  await sampler.take();
  const timer = setInterval(() => void sampler.take(), SAMPLE_EVERY_MS);
  const seconds = Number(values.minutes) * 60;
  const { failures, skipped } = await runAt(traffic.work, { rate, seconds, most: MAX_IN_FLIGHT });
  clearInterval(timer);
  await sampler.take();
  await traffic.settled();
  const verdict = judge(sampler.samples);
  printVerdict(verdict);
  console.log(
    `${traffic.counts.messages} messages; ${failures.length} requests failed, ${skipped} were not made in time`,
  );
  for (const failure of failures.slice(0, 5)) console.log(`  ${failure}`);
  await writeFile(
    values.json,
    JSON.stringify({ rate, seconds, skipped, failures, verdict, samples: sampler.samples }),
  );
  console.log(`all samples: ${values.json}`);
  ok = verdict.every(({ holds }) => holds) && failures.length === 0;
} finally {
  traffic.close();
  await connection.close();
  await product.close();
}
process.exit(ok ? 0 : 1);
