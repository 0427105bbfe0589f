export interface SavedView {
  name: string;
  query: string;
}

const RUNNING = 'ExecutionStatus="Running"';

/**
 * Ended runs keep their search attributes, so most views query only running workflows (spec 11.5).
 */
export const SAVED_VIEWS: readonly SavedView[] = [
  { name: 'Conversations', query: `WorkflowType="conversation" AND ${RUNNING}` },
  { name: 'Queued', query: `ConversationStatus="queued" AND ${RUNNING}` },
  { name: 'Blocked bots', query: `Blocked=true AND ${RUNNING}` },
  { name: 'Delayed messages', query: `PendingDelays>0 AND ${RUNNING}` },
  { name: 'Waiting too long', query: `Overdue=true AND ${RUNNING}` },
  { name: 'Snoozed', query: `SnoozedUntil IS NOT NULL AND ${RUNNING}` },
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

/** `ui` has no trailing slash. */
export function viewAddress({ query }: SavedView, ui: string, namespace: string): string {
  return `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
}

export function workflowAddress(id: string, ui: string, namespace: string): string {
  return `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`;
}
