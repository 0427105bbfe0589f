import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStore } from '../embedded/store/server.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../store/connect.ts';
import { throughTheProduct } from './deliveries/arrival.ts';
import { costWithPending, deadEndpoints, oneOfFiftyHangs } from './deliveries/scale.ts';

/**
 * Deliveries at scale (docs/decisions/deliveries.md). Only figures of one run are compared, and the first of each part is for warming up. Arguments: which parts to run (`pending`,
 * `hanging`, `dead`, `product`); none: all.
 */
const wanted = process.argv.slice(2);
const endpoints = Number(process.env['DEAD_ENDPOINTS'] ?? 1_000);
const wants = (part: string) => wanted.length === 0 || wanted.includes(part);

const folder = await mkdtemp(join(tmpdir(), 'deliveries-bench-'));
const store = await startStore({ dataDir: folder });
await connectStore(store.uri);
await ensureIndexes();
try {
  if (wants('pending')) await costWithPending([0, 0, 1_000, 100_000]);
  if (wants('hanging')) await oneOfFiftyHangs();
  if (wants('dead')) await deadEndpoints({ endpoints, events: 100 });
} finally {
  await disconnectStore();
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
if (wants('product')) await throughTheProduct();
process.exit(0);
