import { expect, test } from 'vitest';
import { threadedReplay } from './threaded-replay.ts';

test('without the patch, the SDK requests sink calls after each activation', async () => {
  const { timesSent } = await threadedReplay({ patched: false });
  expect(timesSent('activate-workflow')).toBeGreaterThan(10);
  expect(timesSent('extract-sink-calls')).toBeGreaterThanOrEqual(timesSent('activate-workflow'));
});

test('with the patch, a worker that replays a history requests sink calls only after activations that made some', async () => {
  const { timesSent } = await threadedReplay({ patched: true });
  expect(timesSent('activate-workflow')).toBeGreaterThan(10);
  // A workflow logs its start and its end, and the log is a sink.
  expect(timesSent('extract-sink-calls')).toBeLessThanOrEqual(2);
});
