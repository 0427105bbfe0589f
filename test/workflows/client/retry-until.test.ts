import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { retryUntil } from '../../../workflows/client/retry-until.ts';

function service(code: number): ServiceError {
  return new ServiceError('failed', { cause: Object.assign(new Error('grpc'), { code }) });
}

function failed(type: string): WorkflowUpdateFailedError {
  return new WorkflowUpdateFailedError('failed', ApplicationFailure.create({ type, nonRetryable: true }));
}

const soon = () => performance.now() + 600_000;

/**
 * Returns a function that rejects with each of the errors in order and then succeeds, and a
 * function that returns the number of attempts.
 */
function flaky(errors: Error[]) {
  let attempts = 0;
  const attempt = () => {
    const error = errors[attempts++];
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  return { attempt, attempts: () => attempts };
}

describe('retryUntil', () => {
  test.each([
    ['the server is busy', service(8)],
    ['the server is away', service(14)],
    ['the server aborts', service(10)],
    ['an attempt takes too long', new WorkflowUpdateRPCTimeoutOrCancelledError('late')],
    ['the run has just ended', new WorkflowNotFoundError('gone', 'conversation:1', undefined)],
    ['the worker died before the update', failed('UnprocessedUpdate')],
    ['the run ended during the update', failed('AcceptedUpdateCompletedWorkflow')],
  ])('retryUntil retries within a fraction of a second if %s', async (_, error) => {
    const call = flaky([error, error, error]);
    const waits: number[] = [];
    const wait = (ms: number) => Promise.resolve(waits.push(ms));
    expect(await retryUntil(call.attempt, soon(), wait)).toBe('done');
    expect(call.attempts()).toBe(4);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(500);
  });

  test.each([
    ['an invalid argument', service(3)],
    ['a missing permission', service(7)],
    ['a failure of the workflow itself', failed('SomethingElse')],
    ['an unexpected error', new TypeError('bug')],
  ])('retryUntil throws the error at once, without another attempt, after %s', async (_, error) => {
    const call = flaky([error]);
    await expect(retryUntil(call.attempt, soon())).rejects.toBe(error);
    expect(call.attempts()).toBe(1);
  });

  test('retryUntil throws `unavailable` at the deadline if the server stays unreachable', async () => {
    const away = () => Promise.reject(service(14));
    await expect(retryUntil(away, performance.now() + 100)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 1,
    });
  });

  test('retryUntil limits each attempt to the remaining time and to less than half a minute', async () => {
    const told: number[] = [];
    await retryUntil((withinMs) => Promise.resolve(told.push(withinMs)), performance.now() + 60_000);
    await retryUntil((withinMs) => Promise.resolve(told.push(withinMs)), performance.now() + 10);
    expect(told[0]).toBeLessThan(30_000);
    expect(told[1]).toBeLessThan(11);
  });
});
