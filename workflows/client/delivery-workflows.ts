import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import type { RepeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { DELIVERY_WORKFLOW, deliveryWorkflowId, TASK_QUEUE, WORKFLOW_TASK_TIMEOUT } from '../contract.ts';

/** A workflow ended by an operator restarts within this time. */
const EVERY_MS = 15_000;

interface ShardOptions {
  client: Client;
  shards: number;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Starts missing delivery workflows now and periodically, in every worker. Resolves when all run.
 */
export async function ensureDeliveryWorkflows({ client, shards, log }: ShardOptions): Promise<RepeatingTask> {
  const start = () => Promise.all(Array.from({ length: shards }, (_, shard) => startShard(client, shard)));
  await start();
  const keeping = repeatingTask(() => start().then(() => undefined), {
    everyMs: EVERY_MS,
    waitsFirst: true,
    onError: (error) => log.warn({ err: error }, 'failed to start delivery workflows'),
  });
  keeping.start();
  return keeping;
}

async function startShard(client: Client, shard: number): Promise<void> {
  try {
    await client.workflow.start(DELIVERY_WORKFLOW, {
      workflowId: deliveryWorkflowId(shard),
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: `sends the webhooks of shard ${shard}`,
      args: [{ shard }],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
