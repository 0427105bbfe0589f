import { setTimeout as sleep } from 'node:timers/promises';
import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { unavailable } from '../../domain/errors.ts';
import { CONTINUING_FAILURE } from '../contract.ts';

const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 200;
const ATTEMPT_MS = 8_000;

/**
 * gRPC: INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED: the same call will
 * never succeed.
 */
const HOPELESS = new Set([3, 7, 12, 16]);

/**
 * Failures of an update that say "not now": a run was closing, or its worker died (spec 1.2).
 * Retried under the same update id.
 */
const RETRIED_FAILURES = new Set([
  'UnprocessedUpdate',
  'AcceptedUpdateCompletedWorkflow',
  CONTINUING_FAILURE,
]);

/**
 * Calls `attempt` until it succeeds, with short waits while the server is busy, restarting, or a
 * run is closing. The client's own retry waits a second or more when the server is busy and knows
 * no deadline, which is why it is not used.
 *
 * Rejects with DomainError `unavailable` at `deadline` (by the monotonic clock); each attempt is
 * told how many milliseconds it may take.
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
  // The run that the update was for ended under way; the next attempt starts another.
  if (error instanceof WorkflowNotFoundError) return true;
  const code = getGrpcStatus(error);
  return code !== undefined && !HOPELESS.has(code);
}

/** The gRPC status that a call was answered with; undefined where it failed otherwise. */
export function getGrpcStatus(error: unknown): number | undefined {
  // What fails inside an update-with-start arrives as a bare gRPC error.
  const { code } = ((error instanceof ServiceError ? error.cause : error) ?? {}) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}

/** gRPC's number. */
export const NOT_FOUND = 5;

/** What gRPC's answer was; -1 where the error is no answer of a server. */
export function getGrpcCode(error: unknown): number {
  return isGrpcServiceError(error) ? error.code : -1;
}
