import type { Connection } from '@temporalio/client';

const DAY_SECONDS = 86_400;
const ALREADY_EXISTS = 6;

export async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  // The type requires a Long. A number has the same encoding.
  const workflowExecutionRetentionPeriod = { seconds: DAY_SECONDS as never };
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  } catch (error) {
    if ((error as { code?: number }).code !== ALREADY_EXISTS) throw error;
  }
}
