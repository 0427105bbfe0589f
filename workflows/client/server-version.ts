import type { Connection } from '@temporalio/client';

/**
 * Oldest server whose updates, search attributes and current details the product has been run with.
 */
export const OLDEST_SERVER = [1, 28] as const;

/** The server that was found is older than the product can use. */
export class OldServerError extends Error {
  override readonly name = 'OldServerError';

  constructor(version: string) {
    super(`the Temporal server is ${version}, and ${OLDEST_SERVER.join('.')} or newer is needed`);
  }
}

/** Whether a server of this version (`1.31.2`) can be used; of what is no version, it can. */
export function isRecentServer(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return true;
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

/**
 * Rejects with an OldServerError where the server says that it is too old. One that says nothing is
 * judged by what it does.
 */
export async function requireRecentServer({
  workflowService,
}: {
  workflowService: Pick<Connection['workflowService'], 'getSystemInfo'>;
}): Promise<void> {
  const info = await workflowService.getSystemInfo({}).catch(() => undefined);
  if (info && !isRecentServer(info.serverVersion)) throw new OldServerError(info.serverVersion);
}
