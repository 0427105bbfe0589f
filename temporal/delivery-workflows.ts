import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import {
  DELIVERY_WORKFLOW,
  deliveryWorkflowId,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
} from '../workflows/contract.ts';

/**
 * Starts the delivery workflow of every shard that has none running; every worker may call it, at
 * any time.
 */
export async function startDeliveries(client: Client, shards: number): Promise<void> {
  await Promise.all(Array.from({ length: shards }, (_, shard) => startShard(client, shard)));
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
