import mongoose from 'mongoose';

/** Oldest MongoDB whose answers the product is tested with. */
export const OLDEST_MONGODB = 7;

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
export async function requireRecentMongodb(): Promise<void> {
  const info = await mongoose.connection.db
    ?.admin()
    .buildInfo()
    .catch(() => undefined);
  const version = String(info?.['version'] ?? '');
  const [, major] = /^(\d+)\./.exec(version) ?? [];
  if (major !== undefined && Number(major) < OLDEST_MONGODB) throw new OldMongodbError(version);
}
