import mongoose from 'mongoose';
import { definedFields } from '../../domain/record-fields.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { startClock, stopClock } from '../cluster/clock.ts';
import { patchDriverDrain } from '../../platform/patches/driver-drain.ts';

/** The driver's default would be `test`. */
const DATABASE = 'parlance';

class StoreConnectionError extends Error {
  override readonly name = 'StoreConnectionError';
}

/** No `writeConcern` object, which the driver would merge with options of the uri. */
const DURABLE = { w: 'majority', journal: true } as const;

/**
 * Rejects if no server responds within ten seconds or the server is too old. Overrides the uri:
 * writes need a majority and the journal, and reads use the primary.
 */
export async function connectStore(uri: string, options: { database?: string } = {}): Promise<void> {
  const database = options.database ?? (namesDatabase(uri) ? undefined : DATABASE);
  patchDriverDrain();
  await mongoose
    .connect(uri, {
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: 10_000,
      ...DURABLE,
      readPreference: 'primary',
      ...definedFields({ dbName: database }),
    })
    .catch((cause: unknown) => {
      throw new StoreConnectionError('the store cannot be connected to', { cause });
    });
  await requireRecentMongodb();
  await startClock();
}

function namesDatabase(uri: string): boolean {
  return /^mongodb(\+srv)?:\/\/[^/?]+\/[^?]+/.test(uri);
}

export async function disconnectStore(): Promise<void> {
  stopClock();
  await mongoose.disconnect();
}

export async function isStoreReachable(timeoutMs: number): Promise<boolean> {
  const answer = (mongoose.connection.db?.admin().ping() ?? Promise.reject(new Error('not connected'))).then(
    () => true,
    () => false,
  );
  return withTimeout(answer, timeoutMs, () => false);
}

/** Builds missing indexes only. The server reads a collection once for all its new indexes. */
export async function ensureIndexes(): Promise<void> {
  for (const { collection, schema } of Object.values(mongoose.models)) {
    const indexes = schema
      .indexes()
      .map(([key, options]) => ({ ...options, key })) as mongoose.mongo.IndexDescription[];
    if (indexes.length > 0) await collection.createIndexes(indexes);
  }
}

export async function storeEngine(timeoutMs: number): Promise<string | undefined> {
  const answer = mongoose.connection.db
    ?.admin()
    .buildInfo()
    .then(formatEngineName, () => undefined);
  return answer && withTimeout(answer, timeoutMs, () => undefined);
}

function formatEngineName({ version, parlanceStore }: Record<string, unknown>): string {
  return `${parlanceStore ? 'built-in store, as MongoDB' : 'MongoDB'} ${String(version)}`;
}

const OLDEST_MONGODB = 7;

export class OldMongodbError extends Error {
  override readonly name = 'OldMongodbError';

  constructor(version: string) {
    super(`the MongoDB is ${version}, and ${OLDEST_MONGODB}.0 or newer is needed`);
  }
}

/** Accepts servers that report no version. */
async function requireRecentMongodb(): Promise<void> {
  const info = await mongoose.connection.db
    ?.admin()
    .buildInfo()
    .catch(() => undefined);
  const version = String(info?.['version'] ?? '');
  const [, major] = /^(\d+)\./.exec(version) ?? [];
  if (major !== undefined && Number(major) < OLDEST_MONGODB) throw new OldMongodbError(version);
}
