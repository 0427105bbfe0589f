import { expect, test } from 'vitest';
import { retryWhileUnavailable } from '../../application/business-events/retry-events.ts';
import { unavailable, unprocessable } from '../../domain/errors.ts';

/**
 * Retries work that throws the error `times` times and then succeeds. Returns the outcome and the
 * number of waits.
 */
async function waits(error: Error, times: number): Promise<[outcome: unknown, waits: number]> {
  let tries = 0;
  let waited = 0;
  const outcome = await retryWhileUnavailable(
    () => (tries++ < times ? Promise.reject(error) : Promise.resolve('done')),
    () => Promise.resolve((waited += 1)),
  ).catch((failure: unknown) => failure);
  return [outcome, waited];
}

test('the run of an event is retried within its activity while expressions are unavailable', async () => {
  expect(await waits(unavailable(), 3)).toEqual(['done', 3]);
});

test('the activity that runs an event fails if expressions stay unavailable, so that another worker can run the event', async () => {
  const [outcome, waited] = await waits(unavailable(), Infinity);
  expect(outcome).toMatchObject({ code: 'unavailable' });
  expect(waited).toBeLessThan(15);
});

test('the run of an event is not retried after a refusal', async () => {
  expect(await waits(unprocessable('no'), 1)).toEqual([
    expect.objectContaining({ code: 'unprocessable' }),
    0,
  ]);
});
