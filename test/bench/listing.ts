import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseListQuery } from '../../domain/query/list-query.ts';
import { parseParameters } from '../../domain/query/query-string.ts';
import { conversationPaths } from '../../api/resources/conversations/schema.ts';
import { startStore } from '@parlance/store-engine';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { findPage } from '../../store/queries/listing.ts';

const PAGE = 200;
const ROUNDS = 30;
const SIZES = { small: 1000, large: 100_000 };
const START = Date.UTC(2026, 0, 1);

/**
 * Reads a page of 200 conversations and the total, filtered by organization, status and updatedAt,
 * in organizations with 100,000 and with 1,000 conversations. Compares the times. Goal: a ratio of
 * at most 3. The pages are read in turns; only the ratio counts. Run: `node --import tsx
 * test/bench/listing.ts`, against `MONGODB_URI` if set.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-listing-'));
  const given = process.env['MONGODB_URI'];
  const store = given ? undefined : await startStore({ dataDir: folder });
  await connectStore(given ?? store?.uri ?? '', { database: `bench_listing_${process.pid}` });
  try {
    await ensureIndexes();
    for (const [organization, count] of Object.entries(SIZES)) await fill(organization, count);
    await compare('as many match in both', { small: SIZES.small - 900, large: SIZES.large - 900 });
    await compare('all of a status match', { small: 0, large: 0 });
  } finally {
    await conversationModel.db.dropDatabase();
    await disconnectStore();
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(name: string, since: { small: number; large: number }): Promise<void> {
  const times = { small: [] as number[], large: [] as number[] };
  await page('small', since.small);
  for (let round = 0; round < ROUNDS; round += 1) {
    times.small.push(await page('small', since.small));
    times.large.push(await page('large', since.large));
  }
  const [few, many] = [median(times.small), median(times.large)];
  console.log(`${name}: out of 1,000 ${few.toFixed(2)} ms; out of 100,000 ${many.toFixed(2)} ms`);
  console.log(`ratio ${(many / few).toFixed(2)} (goal: at most 3)`);
}

async function fill(organization: string, count: number): Promise<void> {
  const statuses = ['queued', 'active', 'closed'];
  for (let from = 0; from < count; from += 1000) {
    const batch = Array.from({ length: 1000 }, (_, n) => {
      const at = new Date(START + (from + n) * 1000);
      const id = `${organization}-${from + n}`;
      const lists = { participants: [], channels: [], forms: [], results: [] };
      return {
        _id: id,
        slug: id,
        organization,
        status: statuses[n % 3],
        ...lists,
        createdAt: at,
        updatedAt: at,
      };
    });
    await conversationModel.collection.insertMany(batch as never[]);
  }
}

/**
 * Reads a page of the newest conversations and returns the milliseconds. `sinceSeconds` is the
 * lower bound of updatedAt, in seconds after the first conversation.
 */
async function page(organization: string, sinceSeconds: number): Promise<number> {
  const since = new Date(START + sinceSeconds * 1000).toISOString();
  const text = `organization=${organization}&status=queued&updatedAt=%3E%3D${since}&sort=-updatedAt&limit=${PAGE}`;
  const before = performance.now();
  const scope = { organization: { $in: [organization] } };
  const found = await findPage(
    conversationModel,
    scope,
    parseListQuery(parseParameters(text), conversationPaths),
  );
  if (found.records.length !== PAGE) throw new Error(`a page of ${found.records.length}`);
  return performance.now() - before;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await main();
