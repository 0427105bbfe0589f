import { Connection } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';

const READY_TIMEOUT_MS = 1_000;

/** Whether a Temporal server answers on a connection within `timeoutMs`. Never rejects. */
export function serverAnswers(connection: Connection, timeoutMs: number): Promise<boolean> {
  return isReachableWithin(connection, timeoutMs, () => connection.workflowService.getSystemInfo({}));
}

/** Whether what `ask` asks on a connection is answered within `timeoutMs`. Never rejects. */
export function isReachableWithin(
  connection: Connection,
  timeoutMs: number,
  ask: () => Promise<unknown>,
): Promise<boolean> {
  return connection.withDeadline(Date.now() + timeoutMs, ask).then(
    () => true,
    () => false,
  );
}

/**
 * Whether the server at an address knows the namespace now. Never rejects, and takes about a second
 * at most.
 */
export async function isNamespaceReady(
  where: Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey'>,
  namespace: string,
): Promise<boolean> {
  const connection = Connection.lazy(where);
  try {
    return await isReachableWithin(connection, READY_TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}
