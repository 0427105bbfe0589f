import { createHash } from 'node:crypto';
import type { Client, Connection } from '@temporalio/client';
import type { AccountMailResult } from '../../domain/account-mail.ts';
import {
  ACCOUNT_MAIL_WORKFLOW,
  MAILBOX_WORKFLOW,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  accountMailWorkflowId,
  mailboxWorkflowId,
} from '../contract.ts';
import type { AccountMailInput, MailboxInput } from '../contract.ts';
import { retryUntil } from './retry-until.ts';

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

type AccountMailWorkflow = (input: AccountMailInput) => Promise<AccountMailResult>;

/**
 * Starts to send a mail, or joins a mail that waits for its next attempt. Rejects with
 * `unavailable` after `timeoutMs`. Returns null without a result within `waitMs`.
 */
export async function startAccountMail(
  { client, connection }: { client: Client; connection: Connection },
  input: AccountMailInput,
  { waitMs, timeoutMs }: { waitMs: number; timeoutMs: number },
): Promise<AccountMailResult | null> {
  const digest = createHash('sha256').update(input.recipient).digest('base64url');
  const workflowId = accountMailWorkflowId(input.kind, digest);
  const handle = await retryUntil(
    (withinMs) =>
      connection.withDeadline(Date.now() + withinMs, () =>
        client.workflow.start<AccountMailWorkflow>(ACCOUNT_MAIL_WORKFLOW, {
          workflowId,
          workflowIdConflictPolicy: 'USE_EXISTING',
          taskQueue: TASK_QUEUE,
          workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
          staticSummary: `sends a mail: ${input.kind}`,
          args: [input],
        }),
      ),
    performance.now() + timeoutMs,
  );
  if (waitMs === 0) return null;
  return connection.withAbortSignal(AbortSignal.timeout(waitMs), () => handle.result()).catch(() => null);
}
