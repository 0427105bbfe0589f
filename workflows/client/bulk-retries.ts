import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection } from '@temporalio/client';
import { DomainError } from '../../domain/errors.ts';
import type { EventSelection } from '../../domain/events/business-event.ts';
import {
  RETRY_EVENTS_WORKFLOW,
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT,
  retryEventsWorkflowId,
} from '../contract.ts';
import type { RetryBatch } from '../contract.ts';
import { retryUntil } from './retry-until.ts';

const RETRY_AFTER_SECONDS = 10;

/** Maximum per tenant at a time (spec 8.3). */
export const MAX_BULK_RETRIES = 4;

export interface BulkRetry {
  selection: EventSelection;
  /** The first organization below the root, or the root. */
  tenant: string;
  /** Stable across retries of the request. */
  id: string;
}

interface RunningRetry {
  selection: string;
  request: string;
}

/**
 * Starts a bulk retry under one of a tenant's few workflow ids: Temporal runs one workflow
 * per id. Rejects with DomainError `conflict` if the selection is running, `rate_limited` if all
 * ids are in use, `unavailable` after `timeoutMs`.
 */
export async function startBulkRetry(
  { client, connection }: { client: Client; connection: Connection },
  retry: BulkRetry,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const within = <T>(call: () => Promise<T>) =>
    retryUntil((withinMs) => connection.withDeadline(Date.now() + withinMs, call), deadline);
  const ids = Array.from({ length: MAX_BULK_RETRIES }, (_, at) => retryEventsWorkflowId(retry.tenant, at));
  // An attempt fails only if another request took the free id.
  for (let turn = 0; turn <= ids.length; turn += 1) {
    const running = await Promise.all(ids.map((id) => within(() => describe(client, id))));
    if (running.some((one) => one?.request === retry.id)) return;
    if (running.some((one) => one?.selection === formatSelection(retry.selection)))
      throw alreadyRunningError();
    const free = ids.find((_, at) => running[at] === undefined);
    if (free === undefined) break;
    if (await within(() => start(client, free, retry))) return;
  }
  throw tooManyError();
}

async function describe(client: Client, workflowId: string): Promise<RunningRetry | undefined> {
  try {
    const { status, memo } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' ? { selection: '', request: '', ...memo } : undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function start(client: Client, workflowId: string, { selection, id }: BulkRetry): Promise<boolean> {
  const input: RetryBatch = { selection };
  const shown: RunningRetry = { selection: formatSelection(selection), request: id };
  try {
    await client.workflow.start(RETRY_EVENTS_WORKFLOW, {
      workflowId,
      workflowIdConflictPolicy: 'FAIL',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: `${selection.status} business events, run again`,
      memo: { ...shown },
      args: [input],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

// Omits the times, so that selections that differ only in time exclude each other.
function formatSelection({ of, status }: EventSelection): string {
  return 'eventtype' in of ? `${status} of ${of.eventtype}` : `${status} ${of.name} in ${of.organization}`;
}

function alreadyRunningError(): DomainError {
  return new DomainError(
    'conflict',
    'These events are being run again already. Ask again when that has ended.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function tooManyError(): DomainError {
  return new DomainError(
    'rate_limited',
    `An organization below the root, with all below it, may have ${MAX_BULK_RETRIES} bulk retries run at once. Ask again when one has ended.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
