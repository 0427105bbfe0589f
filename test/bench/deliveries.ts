import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../deploy/local/ports.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { throughTheProduct } from './deliveries/arrival.ts';
import { deadEndpoints } from './deliveries/dead.ts';
import { oneOfFiftyHangs } from './deliveries/hanging.ts';
import { costWithPending } from './deliveries/pending.ts';
import { startStoreProgram } from './programs.ts';

/**
 * Measures deliveries at scale (docs/benchmarks.md). Figures of different runs are not comparable.
 * Arguments: the parts to run (`pending`, `hanging`, `dead`, `product`); default: all.
 */
const wanted = process.argv.slice(2);
const endpoints = Number(process.env['DEAD_ENDPOINTS'] ?? 1_000);
const wants = (part: string) => wanted.length === 0 || wanted.includes(part);

const folder = await mkdtemp(join(tmpdir(), 'deliveries-bench-'));
const port = await freePort();
const store = await startStoreProgram(folder, port);
await connectStore(`mongodb://127.0.0.1:${port}/bench`);
await ensureIndexes();
try {
  if (wants('pending')) await costWithPending([0, 0, 1_000, 100_000], store.pid);
  if (wants('hanging')) await oneOfFiftyHangs();
  if (wants('dead')) await deadEndpoints({ endpoints, events: 100 });
} finally {
  await disconnectStore();
  await store.stop();
  await rm(folder, { recursive: true, force: true });
}
if (wants('product')) await throughTheProduct();
process.exit(0);
