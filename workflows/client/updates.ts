import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection, WithStartWorkflowOperation, Workflow } from '@temporalio/client';
import { getGrpcStatus, retryUntil } from './retry-until.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { pausedByOperator } from '../../domain/errors.ts';

/** gRPC: what a server answers at once to the update of a paused workflow, among other things. */
const FAILED_PRECONDITION = 9;

/**
 * As many workflows as a process remembers to be running; one that is forgotten costs a little more
 * to reach.
 */
const MAX_RUNNING = 50_000;

/** One update of a workflow that is started where it does not run. */
export interface Update<A> {
  workflowId: string;
  /**
   * How it is started; asked for only where it is not known to run. Another one each time: none can
   * be used twice.
   */
  start: () => Promise<WithStartWorkflowOperation<Workflow>>;
  name: string;
  /** The same update always has the same id: a retry is recognised. */
  updateId: string;
  input: A;
  /** By the monotonic clock. */
  deadline: number;
}

/**
 * Sends updates until they are answered, or rejects with DomainError `unavailable` at their
 * deadline, and with `paused` at once where an operator has paused the workflow.
 */
export function createUpdates(client: Client, connection: Connection) {
  const running = lruMap<string, true>(MAX_RUNNING);

  // To start a workflow if need be costs the server a fifth more than to reach one that runs: most
  // do, and have just been reached.
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

  // Asked for the rare answer alone, and never for an update that goes through.
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
