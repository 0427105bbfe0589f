import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection, WithStartWorkflowOperation, Workflow } from '@temporalio/client';
import { getGrpcStatus, retryUntil } from './retry-until.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { pausedByOperator } from '../../domain/errors.ts';

/** Status of an update of a paused workflow, among other causes. */
const FAILED_PRECONDITION = 9;

/** Updates of other workflows cost a little more. */
const MAX_RUNNING = 50_000;

export interface Update<A> {
  workflowId: string;
  /**
   * Returns a new operation each time, because none can be reused. Called if the workflow is not
   * known to run.
   */
  start: () => Promise<WithStartWorkflowOperation<Workflow>>;
  name: string;
  /** Stable across retries of the update. */
  updateId: string;
  input: A;
  /** By the monotonic clock. */
  deadline: number;
}

/**
 * Creates a function that rejects with DomainError `unavailable` at the deadline and with `paused`
 * if an operator paused the workflow.
 */
export function createUpdates(client: Client, connection: Connection) {
  const running = lruMap<string, true>(MAX_RUNNING);

  // Starts the workflow only if it is not running: update-with-start costs the server a fifth more.
  async function attempt<A, R>({ workflowId, start, name, updateId, input }: Update<A>): Promise<R> {
    const sent = { args: [input] as [A], updateId };
    if (running.peek(workflowId)) {
      try {
        return await client.workflow.getHandle(workflowId).executeUpdate<R, [A]>(name, sent);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        running.delete(workflowId);
      }
    }
    const answer = await client.workflow.executeUpdateWithStart<Workflow, R, [A]>(name, {
      ...sent,
      startWorkflowOperation: await start(),
    });
    running.set(workflowId, true);
    return answer;
  }

  // Describes the workflow only after this rare status.
  async function assertNotPaused(workflowId: string, error: unknown): Promise<never> {
    if (getGrpcStatus(error) !== FAILED_PRECONDITION) throw error;
    const { status } = await client.workflow.getHandle(workflowId).describe();
    throw status.name === 'PAUSED' ? pausedByOperator() : error;
  }

  return function update<A, R>(what: Update<A>): Promise<R> {
    return retryUntil(
      (withinMs) =>
        connection.withDeadline(Date.now() + withinMs, () =>
          attempt<A, R>(what).catch((error: unknown) => assertNotPaused(what.workflowId, error)),
        ),
      what.deadline,
    );
  };
}
