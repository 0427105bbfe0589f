import { expect, test } from 'vitest';
import { built } from './replay.ts';
import { threadedReplay } from './threaded-replay.ts';

test('without the patch, the SDK starts workflow threads with the file of the SDK', async () => {
  const { files } = await threadedReplay({ patched: false });
  expect(files).toEqual([
    expect.stringMatching(/@temporalio\/worker\/lib\/workflow\/workflow-worker-thread\.js$/),
  ]);
});

test('with the patch, a worker starts workflow threads with the file that patches the thread', async () => {
  const { files } = await threadedReplay({ patched: true });
  expect(files).toEqual([built('platform/patches/workflow-thread.js').href]);
});
