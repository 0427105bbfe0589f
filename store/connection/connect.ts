import mongoose from 'mongoose';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { startClock, stopClock } from '../cluster/clock.ts';
import { patchDriverDrain } from '../../platform/patches/driver-drain.ts';

/** What a uri without a name of a database means: the driver would take `test`. */
const DATABASE = 'parlance';

/** No connection came about; the cause says why. */
class StoreConnectionError extends Error {
  override readonly name = 'StoreConnectionError';
}

/**
 * Connects this process to the database named in the uri (default `parlance`). Resolves when a
 * server answers; rejects after ten seconds without one, or when it is too old. Writes are
 * acknowledged by a majority and from the journal, and reads ask the primary, whatever the uri says
 * of these: what is answered is never lost.
 */
export async function connectStore(uri: string, options: { database?: string } = {}): Promise<void> {
  const database = options.database ?? (namesDatabase(uri) ? undefined : DATABASE);
  patchDriverDrain();
  await mongoose
    .connect(uri, {
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: 10_000,
      // Each by its own name: a concern as a whole would be mixed with what the uri says.
      w: 'majority',
      journal: true,
      readPreference: 'primary',
      ...(database ? { dbName: database } : {}),
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

/** Ends the connection when all that is under way has been answered. */
export async function disconnectStore(): Promise<void> {
  stopClock();
  await mongoose.disconnect();
}

/** Whether the database answers within `timeoutMs`. */
export async function isStoreReachable(timeoutMs: number): Promise<boolean> {
  const answer = (mongoose.connection.db?.admin().ping() ?? Promise.reject(new Error('not connected'))).then(
    () => true,
    () => false,
  );
  return withTimeout(answer, timeoutMs, () => false);
}

/** Builds every index of every collection; does nothing where they exist already. */
export async function ensureIndexes(): Promise<void> {
  for (const model of Object.values(mongoose.models)) await model.createIndexes();
}

/** What keeps the data, with its version, as far as it says so within `timeoutMs`. */
export async function storeEngine(timeoutMs: number): Promise<string | undefined> {
  const answer = mongoose.connection.db
    ?.admin()
    .buildInfo()
    .then(formatEngineName, () => undefined);
  return answer && withTimeout(answer, timeoutMs, () => undefined);
}

// The built-in store says so beside the version of MongoDB that it is compatible with.
function formatEngineName({ version, parlanceStore }: Record<string, unknown>): string {
  return `${parlanceStore ? 'built-in store, as MongoDB' : 'MongoDB'} ${String(version)}`;
}

/** Oldest MongoDB whose answers the product is tested with. */
const OLDEST_MONGODB = 7;

/** The MongoDB that was found is older than the product can use. */
export class OldMongodbError extends Error {
  override readonly name = 'OldMongodbError';

  constructor(version: string) {
    super(`the MongoDB is ${version}, and ${OLDEST_MONGODB}.0 or newer is needed`);
  }
}

/**
 * Rejects with an OldMongodbError where the connected server says that it is too old. One that says
 * nothing is judged by what it does.
 */
async function requireRecentMongodb(): Promise<void> {
  const info = await mongoose.connection.db
    ?.admin()
    .buildInfo()
    .catch(() => undefined);
  const version = String(info?.['version'] ?? '');
  const [, major] = /^(\d+)\./.exec(version) ?? [];
  if (major !== undefined && Number(major) < OLDEST_MONGODB) throw new OldMongodbError(version);
}
