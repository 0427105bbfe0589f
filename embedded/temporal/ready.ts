import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';

const ATTEMPT_MS = 1_000;
const POLL_MS = 100;

/**
 * Whether the server answers for `namespace` now. Never rejects, and takes about a second at most.
 */
export async function isTemporalReady(
  where: Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey'>,
  namespace: string,
): Promise<boolean> {
  const connection = Connection.lazy(where);
  try {
    await connection.withDeadline(Date.now() + ATTEMPT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Waits until the server answers. Rejects when `signal` is aborted. */
export async function waitForTemporal(options: {
  address: string;
  namespace: string;
  signal: AbortSignal;
}): Promise<void> {
  while (!(await isTemporalReady({ address: options.address }, options.namespace))) {
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}
