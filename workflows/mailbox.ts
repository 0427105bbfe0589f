import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { MAILBOX_TASK_QUEUE } from './contract.ts';
import type { Activities, MailboxInput } from './contract.ts';

// Missing heartbeats reveal a crashed worker, and another worker takes over. Each heartbeat costs
// the server a write, so they are rare.
const { readMailbox } = proxyActivities<Pick<Activities, 'readMailbox'>>({
  taskQueue: MAILBOX_TASK_QUEUE,
  startToCloseTimeout: '3h',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
  summary: 'reading a mailbox',
});

/**
 * Reads the mailbox of a channel until the channel has none (spec 15.13), by one long activity at a
 * time. Has no state: the cursor is in the store.
 */
export async function mailbox(input: MailboxInput): Promise<void> {
  while (await readMailbox(input)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof mailbox>(input);
  }
}
