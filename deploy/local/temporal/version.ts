import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OLDEST_SERVER, isRecentServer } from '../../../workflows/client/server-version.ts';

/**
 * The release of Temporal's command line program that is downloaded or built; `cli/go.mod` names
 * the same.
 */
export const TEMPORAL_CLI_VERSION = '1.8.2';

/**
 * The version a `temporal` binary states of itself, as `1.8.2 (Server 1.31.2, …)`. Rejects with why
 * it cannot be used.
 */
export async function temporalVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 30_000 });
  const [, version] = /temporal version (.+)/.exec(stdout) ?? [];
  const [, server] = /Server (\d+\.\d+)/.exec(stdout) ?? [];
  if (version === undefined || server === undefined) throw new Error('it does not say which version it is');
  if (!isRecentServer(server))
    throw new Error(`it is ${version}, older than server ${OLDEST_SERVER.join('.')}`);
  return version;
}
