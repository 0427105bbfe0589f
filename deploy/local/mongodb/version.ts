import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * The release that is downloaded: one that the archive names of mongodb-memory-server-core are
 * known to fit.
 */
export const MONGODB_VERSION = '8.2.6';

const OLDEST_MAJOR = 7;

/** The version that a `mongod` states of itself. Rejects with why it cannot be used. */
export async function mongodVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 30_000 });
  const [, version, major] = /db version v((\d+)\.\S+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error('it does not say which version it is');
  if (Number(major) < OLDEST_MAJOR) throw new Error(`it is ${version}, older than ${OLDEST_MAJOR}`);
  return version;
}
