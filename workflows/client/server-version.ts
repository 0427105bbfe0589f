import type { Connection } from '@temporalio/client';

export const OLDEST_SERVER = [1, 28] as const;

export class OldServerError extends Error {
  override readonly name = 'OldServerError';

  constructor(version: string) {
    super(`the Temporal server is ${version}, and ${OLDEST_SERVER.join('.')} or newer is needed`);
  }
}

/** Accepts a version of an unknown format. */
export function isRecentServer(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return true;
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

/** Accepts servers that report no version. */
export async function requireRecentServer({
  workflowService,
}: {
  workflowService: Pick<Connection['workflowService'], 'getSystemInfo'>;
}): Promise<void> {
  const info = await workflowService.getSystemInfo({}).catch(() => undefined);
  if (info && !isRecentServer(info.serverVersion)) throw new OldServerError(info.serverVersion);
}
