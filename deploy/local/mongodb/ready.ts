import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';

const ATTEMPT_MS = 1_000;
const POLL_MS = 100;

/**
 * Returns the version of the server at `uri`, or undefined if it does not respond within about a
 * second.
 */
export async function mongodbVersion(uri: string): Promise<string | undefined> {
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: ATTEMPT_MS,
    connectTimeoutMS: ATTEMPT_MS,
    autoIndex: false,
  });
  // The command below reports connection errors; without a listener the event would throw.
  connection.on('error', () => undefined);
  try {
    await connection.asPromise();
    const info = await connection.db?.admin().command({ buildInfo: 1 });
    return String(info?.['version']);
  } catch {
    return undefined;
  } finally {
    await connection.destroy();
  }
}

/** Rejects when `signal` is aborted. */
export async function waitForMongodb(uri: string, signal: AbortSignal): Promise<void> {
  while ((await mongodbVersion(uri)) === undefined) await sleep(POLL_MS, undefined, { signal });
}
