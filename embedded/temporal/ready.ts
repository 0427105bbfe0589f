import { setTimeout as sleep } from 'node:timers/promises';
import { isNamespaceReady } from '../../temporal/health.ts';

const POLL_MS = 100;

/** Waits until the server answers. Rejects when `signal` is aborted. */
export async function waitForTemporal(options: {
  address: string;
  namespace: string;
  signal: AbortSignal;
}): Promise<void> {
  while (!(await isNamespaceReady({ address: options.address }, options.namespace))) {
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}
