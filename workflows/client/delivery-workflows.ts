import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { DELIVERY_WORKFLOW, deliveryWorkflowId, TASK_QUEUE, WORKFLOW_TASK_TIMEOUT } from '../contract.ts';

export async function startDeliveryWorkflow(client: Client, shard: number): Promise<void> {
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
