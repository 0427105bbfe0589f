import type { Client } from '@temporalio/client';
import { SAVED_VIEWS } from '../../domain/operators/saved-views.ts';
import type { OperatorShell } from '../support/operator-shell.ts';

/** Returns the current details of a workflow, as the Temporal UI shows them. */
export async function readDetails(temporal: Client, workflowId: string): Promise<string> {
  const handle = temporal.workflow.getHandle(workflowId);
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** Returns the workflow ids that a saved view of the start page lists. */
export async function listView(temporal: Client, name: string): Promise<string[]> {
  const view = SAVED_VIEWS.find((one) => one.name === name);
  if (!view) throw new Error(`the start page has no view ${name}`);
  const found: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query: view.query })) found.push(workflowId);
  return found;
}

/** Returns whether a conversation has a pending activity, according to the Temporal CLI. */
export async function hasPendingActivity(operator: OperatorShell, conversation: string): Promise<boolean> {
  const shown = await operator.run(
    `temporal workflow describe -w conversation:${conversation} --output json`,
  );
  const { pendingActivities = [] } = JSON.parse(shown) as { pendingActivities?: unknown[] };
  return pendingActivities.length > 0;
}
