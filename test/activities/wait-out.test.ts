import { expect, test } from 'vitest';
import { retryWhileUnavailable } from '../../application/business-events/retry-events.ts';
import { unavailable, unprocessable } from '../../domain/errors.ts';

/** Throws the error `times` times, then succeeds. Returns the outcome and the number of waits. */
async function waits(error: Error, times: number): Promise<[outcome: unknown, waits: number]> {
  let tries = 0;
  let waited = 0;
  const outcome = await retryWhileUnavailable(
    () => (tries++ < times ? Promise.reject(error) : Promise.resolve('done')),
    () => Promise.resolve((waited += 1)),
  ).catch((failure: unknown) => failure);
  return [outcome, waited];
}

test('an event waits within its attempt while the expression processes are busy', async () => {
  expect(await waits(unavailable(), 3)).toEqual(['done', 3]);
});

test('an event that waits too long fails its attempt, so that another worker can run it', async () => {
  const [outcome, waited] = await waits(unavailable(), Infinity);
  expect(outcome).toMatchObject({ code: 'unavailable' });
  expect(waited).toBeLessThan(15);
});

test('an event that is refused does not wait', async () => {
  expect(await waits(unprocessable('no'), 1)).toEqual([
    expect.objectContaining({ code: 'unprocessable' }),
    0,
  ]);
});
