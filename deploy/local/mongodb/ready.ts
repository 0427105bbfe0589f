import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';

const ATTEMPT_MS = 1_000;
const POLL_MS = 100;

/**
 * The version that the server at `uri` states, or undefined if it does not answer now. Takes about
 * a second at most.
 */
export async function mongodbVersion(uri: string): Promise<string | undefined> {
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: ATTEMPT_MS,
    connectTimeoutMS: ATTEMPT_MS,
    autoIndex: false,
  });
  // Whether it connects is told by the command; this promise would else be one more that rejects.
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

/** Waits until the server answers. Rejects when `signal` is aborted. */
export async function waitForMongodb(uri: string, signal: AbortSignal): Promise<void> {
  while ((await mongodbVersion(uri)) === undefined) await sleep(POLL_MS, undefined, { signal });
}
