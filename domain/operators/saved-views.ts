/** A list of workflows for operators, as Temporal's pages and its command line filter it. */
export interface SavedView {
  name: string;
  query: string;
}

const RUNNING = 'ExecutionStatus="Running"';

/**
 * The views that are linked to (spec 11.5). Runs that have ended keep what they showed last, so
 * what is true now is asked of running ones. Shards of deliveries are in a view of their own.
 */
export const SAVED_VIEWS: readonly SavedView[] = [
  { name: 'Conversations', query: `WorkflowType="conversation" AND ${RUNNING}` },
  { name: 'Queued', query: `ConversationStatus="queued" AND ${RUNNING}` },
  { name: 'Blocked bots', query: `Blocked=true AND ${RUNNING}` },
  { name: 'Delayed messages', query: `PendingDelays>0 AND ${RUNNING}` },
  { name: 'Paused', query: 'ExecutionStatus="Paused"' },
  { name: 'Failing webhooks', query: `Failing IS NOT NULL AND ${RUNNING}` },
  { name: 'Waiting events', query: `WorkflowType="inboundEvent" AND ${RUNNING}` },
  { name: 'Deletions', query: `WorkflowType="erasure" AND ${RUNNING}` },
  {
    name: 'Stuck',
    query: 'TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")',
  },
  { name: 'Terminated', query: 'WorkflowType="conversation" AND ExecutionStatus="Terminated"' },
  { name: 'Shards of deliveries', query: `WorkflowType="delivery" AND ${RUNNING}` },
];

/** Where Temporal's pages show a view. `ui` is their address, without a slash at its end. */
export function viewAddress({ query }: SavedView, ui: string, namespace: string): string {
  return `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
}

/** Where Temporal's pages show a workflow, whichever of its runs is the newest. */
export function workflowAddress(id: string, ui: string, namespace: string): string {
  return `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`;
}
