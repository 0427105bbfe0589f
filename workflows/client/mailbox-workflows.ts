import type { Client, Connection } from '@temporalio/client';
import { MAILBOX_WORKFLOW, TASK_QUEUE, WORKFLOW_TASK_TIMEOUT, mailboxWorkflowId } from '../contract.ts';
import type { MailboxInput } from '../contract.ts';

const TIMEOUT_MS = 5_000;

/** Starts to read the mailbox of a service, unless a workflow already reads it. */
export async function startMailboxWorkflow(
  { client, connection }: { client: Client; connection: Connection },
  service: string,
): Promise<void> {
  await connection.withDeadline(Date.now() + TIMEOUT_MS, () =>
    client.workflow.start<(input: MailboxInput) => Promise<void>>(MAILBOX_WORKFLOW, {
      workflowId: mailboxWorkflowId(service),
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: 'reads a mailbox',
      args: [{ service }],
    }),
  );
}
