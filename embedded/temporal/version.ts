import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * The release of Temporal's command line program that is downloaded or built; `cli/go.mod` names
 * the same.
 */
export const TEMPORAL_CLI_VERSION = '1.8.2';

/**
 * Oldest server whose updates, search attributes and current details the product has been run with.
 */
const OLDEST_SERVER = [1, 28] as const;

/**
 * The version a `temporal` binary states of itself, as `1.8.2 (Server 1.31.2, …)`. Rejects with why
 * it cannot be used.
 */
export async function temporalVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 30_000 });
  const [, version] = /temporal version (.+)/.exec(stdout) ?? [];
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error('it does not say which version it is');
  const server = [Number(major), Number(minor)] as const;
  const isRecent =
    server[0] > OLDEST_SERVER[0] || (server[0] === OLDEST_SERVER[0] && server[1] >= OLDEST_SERVER[1]);
  if (!isRecent) throw new Error(`it is ${version}, older than server ${OLDEST_SERVER.join('.')}`);
  return version;
}
