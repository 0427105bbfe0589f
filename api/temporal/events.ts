import type { Client, Connection } from '@temporalio/client';
import { insist } from '../../posting/insist.ts';
import {
  INBOUND_EVENT_WORKFLOW,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  inboundEventWorkflowId,
} from '../../workflows/contract.ts';
import type { InboundEventInput } from '../../workflows/contract.ts';

const PATIENCE_MS = 20_000;

/** The workflows of business events, as the API sees them. */
export interface Events {
  /**
   * Runs a stored event, or joins the run that is under way. Resolves when its outcome is stored; rejects with `unavailable` after 20 seconds:
   * the event is run all the same, if the server has taken it.
   */
  run: (event: string) => Promise<void>;
}

export function createEvents(client: Client, connection: Connection): Events {
  const start = (input: InboundEventInput) =>
    client.workflow.start(INBOUND_EVENT_WORKFLOW, {
      workflowId: inboundEventWorkflowId(input.id),
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: 'a business event',
      args: [input],
    });

  return {
    async run(event) {
      const deadline = performance.now() + PATIENCE_MS;
      const handle = await insist(
        (withinMs) => connection.withDeadline(Date.now() + withinMs, () => start({ id: event })),
        deadline,
      );
      const tooLate = AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())));
      await insist(() => connection.withAbortSignal(tooLate, () => handle.result()), deadline);
    },
  };
}
