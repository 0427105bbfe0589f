import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withHeartbeats } from '../../activities/index.ts';

test('an activity with heartbeats sends one heartbeat per second while it runs, and none afterwards', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const environment = new MockActivityEnvironment();
  let beats = 0;
  environment.on('heartbeat', () => (beats += 1));
  const { work } = withHeartbeats({
    work: async (name: string) => {
      // A heartbeat belongs to the activity in whose context the timer fires, so the time advances
      // here, within the activity.
      await vi.advanceTimersByTimeAsync(10_500);
      return `${name} is done`;
    },
  });
  await expect(environment.run(work, 'it')).resolves.toBe('it is done');
  expect(beats).toBe(10);
  expect(vi.getTimerCount()).toBe(0);
});

test('a failed activity with heartbeats throws its own error', async () => {
  const environment = new MockActivityEnvironment();
  const { work } = withHeartbeats({ work: () => Promise.reject(new Error('no store')) });
  await expect(environment.run(work)).rejects.toThrow('no store');
});
