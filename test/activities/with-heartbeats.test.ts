import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { withHeartbeats } from '../../activities/with-heartbeats.ts';

test('an activity sends heartbeats for as long as it works, and no longer', async () => {
  const environment = new MockActivityEnvironment();
  let beats = 0;
  const heard = new Promise<void>((resolve) => {
    environment.on('heartbeat', () => {
      beats += 1;
      if (beats === 2) resolve();
    });
  });
  const { work } = withHeartbeats({
    work: async (name: string) => {
      await heard;
      return `${name} is done`;
    },
  });
  await expect(environment.run(work, 'it')).resolves.toBe('it is done');
  const until = beats;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(beats).toBe(until);
});

test('an activity that fails sends no more heartbeats, and fails with its own error', async () => {
  const environment = new MockActivityEnvironment();
  const { work } = withHeartbeats({ work: () => Promise.reject(new Error('no store')) });
  await expect(environment.run(work)).rejects.toThrow('no store');
});
