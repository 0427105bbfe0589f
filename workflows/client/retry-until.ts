import { setTimeout as sleep } from 'node:timers/promises';
import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { unavailable } from '../../domain/errors.ts';
import { CONTINUING_FAILURE } from '../contract.ts';

const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 200;
const ATTEMPT_MS = 8_000;

export const INVALID_ARGUMENT = 3;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const PERMISSION_DENIED = 7;
export const FAILED_PRECONDITION = 9;
export const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

/** A retry cannot succeed. */
const HOPELESS = new Set([INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED]);

/** Failures of a closing run or a crashed worker (spec 1.2). */
const RETRIED_FAILURES = new Set([
  'UnprocessedUpdate',
  'AcceptedUpdateCompletedWorkflow',
  CONTINUING_FAILURE,
]);

/**
 * Retries with short backoff while the server is busy or a run is closing. The client's own retry
 * ignores deadlines. Rejects with DomainError `unavailable` at `deadline` (monotonic clock).
 */
export async function retryUntil<T>(
  attempt: (withinMs: number) => Promise<T>,
  deadline: number,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await attempt(Math.min(deadline - performance.now(), ATTEMPT_MS));
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    const jittered = waitMs * (0.5 + Math.random() / 2);
    if (performance.now() + jittered >= deadline) throw unavailable();
    await wait(jittered);
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError) {
    const { cause } = error;
    return cause instanceof ApplicationFailure && RETRIED_FAILURES.has(cause.type ?? '');
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  // An update-with-start starts another run at the next attempt.
  if (error instanceof WorkflowNotFoundError) return true;
  const code = getGrpcCode(error);
  return code !== undefined && !HOPELESS.has(code);
}

export function getGrpcCode(error: unknown): number | undefined {
  // Failures inside an update-with-start are bare gRPC errors.
  const { code } = ((error instanceof ServiceError ? error.cause : error) ?? {}) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}
