import { setTimeout as wait } from 'node:timers/promises';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection, WorkflowHandle } from '@temporalio/client';
import { startBulkRetry } from './bulk-retries.ts';
import type { BulkRetry } from './bulk-retries.ts';
import { retryUntil } from './retry-until.ts';
import {
  INBOUND_EVENT_WORKFLOW,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  inboundEventWorkflowId,
} from '../contract.ts';
import type { InboundEventInput } from '../contract.ts';

/** Time limit for watching a workflow after its caller gave up. */
const WATCHED_MS = 10 * 60_000;
const WATCH_AGAIN_MS = 5_000;

type InboundEvent = (input: InboundEventInput) => Promise<number>;

export interface Events {
  /**
   * Starts or joins the event's workflow. Resolves when the server has accepted it, or rejects with
   * `unavailable` at the deadline.
   */
  start: (event: string) => Promise<void>;
  /**
   * Resolves when the outcome is stored. Rejects with `unavailable` at the deadline; an accepted
   * event still runs. Calls `ended` once: with the cost in milliseconds, or without it if the event
   * did not start, failed, or was watched too long.
   */
  run: (event: string, ended: (costMs?: number) => void) => Promise<void>;
  /** Resolves when the server has accepted the bulk retry. */
  retryAll: (retry: BulkRetry) => Promise<void>;
}

/** `timeoutMs`: of each method. */
export function createEvents(client: Client, connection: Connection, timeoutMs: number): Events {
  const startWorkflow = (input: InboundEventInput) =>
    client.workflow.start<InboundEvent>(INBOUND_EVENT_WORKFLOW, {
      workflowId: inboundEventWorkflowId(input.id),
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: 'a business event',
      args: [input],
    });
  const startUntil = (id: string, deadline: number) =>
    retryUntil(
      (withinMs) => connection.withDeadline(Date.now() + withinMs, () => startWorkflow({ id })),
      deadline,
    );
  const waitForResult = (handle: WorkflowHandle<InboundEvent>, withinMs: number) =>
    connection.withAbortSignal(AbortSignal.timeout(Math.max(1, Math.ceil(withinMs))), () => handle.result());

  async function waitForCost(handle: WorkflowHandle<InboundEvent>): Promise<number | undefined> {
    const until = performance.now() + WATCHED_MS;
    while (performance.now() < until) {
      try {
        return await waitForResult(handle, until - performance.now());
      } catch (error) {
        if (error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError) break;
      }
      await wait(WATCH_AGAIN_MS, undefined, { ref: false });
    }
    return undefined;
  }

  return {
    retryAll: (retry) => startBulkRetry({ client, connection }, retry, timeoutMs),

    async start(event) {
      await startUntil(event, performance.now() + timeoutMs);
    },

    async run(event, ended) {
      const deadline = performance.now() + timeoutMs;
      const handle = await startUntil(event, deadline).catch((error: unknown) => {
        ended();
        throw error;
      });
      const result = retryUntil(() => waitForResult(handle, deadline - performance.now()), deadline);
      void result.catch(() => waitForCost(handle)).then(ended);
      await result;
    },
  };
}
