import type { Client, Connection } from '@temporalio/client';
import { conversationWorkflowId } from '../contract.ts';
import { NOT_FOUND } from './retry-until.ts';

/**
 * Terminates a conversation's workflow and removes the histories of all its runs (spec 5.8).
 * Repeatable. The server removes them shortly after the call resolves.
 */
export function createEraseHistories({
  client,
  connection,
}: {
  client: Client;
  connection: Connection;
}): (conversation: string) => Promise<void> {
  const { namespace } = client.options;

  async function listRunIds(workflowId: string): Promise<string[]> {
    const runs = new Set<string>();
    for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
      runs.add(runId);
    }
    return [...runs];
  }

  return async (conversation) => {
    const workflowId = conversationWorkflowId(conversation);
    // The list may lag, so terminate the current run by its workflow id.
    await unlessGone(client.workflow.getHandle(workflowId).terminate('The conversation was deleted.'));
    for (const runId of await listRunIds(workflowId)) {
      const workflowExecution = { workflowId, runId };
      await unlessGone(connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution }));
    }
  };
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'WorkflowNotFoundError' || ('code' in error && error.code === NOT_FOUND);
}
