import type { Connection } from '@temporalio/client';

const DAY_SECONDS = 86_400;
const ALREADY_EXISTS = 6;

/** Makes a Temporal namespace, unless it is there. */
export async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  // Its types want Long; the values are the same on the wire.
  const workflowExecutionRetentionPeriod = { seconds: DAY_SECONDS as never };
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  } catch (error) {
    if ((error as { code?: number }).code !== ALREADY_EXISTS) throw error;
  }
}
