import type { Client, Connection, WithStartWorkflowOperation, Workflow } from '@temporalio/client';
import { insist } from './insist.ts';

/** One update of a workflow that is started where it does not run. */
export interface Update<A> {
  operation: () => WithStartWorkflowOperation<Workflow>;
  name: string;
  /** The same update always has the same id: a retry is recognised. */
  updateId: string;
  input: A;
  /** Epoch milliseconds. */
  deadline: number;
}

/** Sends updates until they are answered, or rejects with DomainError `unavailable` at their deadline. */
export function createUpdates(client: Client, connection: Connection) {
  return function update<A, R>({ operation, name, updateId, input, deadline }: Update<A>): Promise<R> {
    return insist(
      (attemptDeadline) =>
        connection.withDeadline(attemptDeadline, () =>
          client.workflow.executeUpdateWithStart<Workflow, R, [A]>(name, {
            args: [input],
            updateId,
            startWorkflowOperation: operation(),
          }),
        ),
      deadline,
    );
  };
}
