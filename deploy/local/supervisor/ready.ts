import { setTimeout as sleep } from 'node:timers/promises';
import type { StartConfig } from '../../../platform/config/start.ts';

const ATTEMPT_MS = 2_000;
const POLL_MS = 200;
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Waits until the API's /readyz says that the store, Temporal and a worker answer. Rejects when
 * `signal` is aborted.
 */
export async function waitForApi(
  { host, port }: Pick<StartConfig, 'host' | 'port'>,
  signal: AbortSignal,
): Promise<void> {
  const reachable = ANY_ADDRESS[host] ?? host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/readyz`;
  while (!(await isOk(url))) await sleep(POLL_MS, undefined, { signal });
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
