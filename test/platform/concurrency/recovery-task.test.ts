import { expect, test } from 'vitest';
import { recoveryTask } from '../../../platform/concurrency/recovery-task.ts';
import type { RecoveryTask } from '../../../platform/concurrency/recovery-task.ts';
import { eventually } from '../../support/eventually.ts';

const SOON = { withinMs: 60_000, everyMs: 1 };

/**
 * Starts a task that finds `items` in each round. Returns the task with its log and its number of
 * rounds.
 */
function startTask(items: string[], fields: Partial<RecoveryTask<string>>) {
  const logged: [unknown, string][] = [];
  let rounds = 0;
  const task = recoveryTask(
    {
      name: 'recover items',
      everyMs: 1,
      find() {
        rounds += 1;
        return Promise.resolve(items);
      },
      key: (item: string) => item,
      recover: () => Promise.resolve(),
      ...fields,
    },
    { warn: ({ items: failed }: { items?: unknown }, message) => void logged.push([failed, message]) },
  );
  task.start();
  return { task, logged, rounds: () => rounds };
}

test('a recovery task never recovers an item twice at the same time, and a round does not wait longer than its limit', async () => {
  const recovered: string[] = [];
  let release = (): void => undefined;
  const { task, rounds } = startTask(['slow', 'quick'], {
    maxWaitMs: 0,
    recover(item) {
      recovered.push(item);
      return item === 'quick' ? Promise.resolve() : new Promise((resolve) => (release = () => resolve(null)));
    },
  });
  await eventually(() => rounds() > 5, SOON);
  expect(recovered.filter((item) => item === 'slow')).toHaveLength(1);
  expect(recovered.filter((item) => item === 'quick').length).toBeGreaterThan(1);
  release();
  await eventually(() => recovered.filter((item) => item === 'slow').length > 1, SOON);
  release();
  await task.stop();
});

test('a recovery task lets a recovered item rest, and tries a failed item again', async () => {
  const recovered: string[] = [];
  const { task, logged } = startTask(['good', 'bad'], {
    cooldownMs: 60_000,
    recover(item) {
      recovered.push(item);
      return item === 'good' ? Promise.resolve() : Promise.reject(new Error('not yet'));
    },
  });
  await eventually(() => recovered.filter((item) => item === 'bad').length > 2, SOON);
  await task.stop();
  expect(recovered.filter((item) => item === 'good')).toHaveLength(1);
  expect(logged[0]).toEqual([['bad'], 'failed to recover items']);
});

test('a recovery task continues after a failed search, and starts the next round at once if more items are left', async () => {
  let searches = 0;
  const { task, logged } = startTask([], {
    find: () => ((searches += 1) === 1 ? Promise.reject(new Error('no store')) : Promise.resolve([])),
    hasMore: () => searches < 10,
  });
  await eventually(() => searches > 10, SOON);
  await task.stop();
  expect(logged).toEqual([[undefined, 'failed to recover items']]);
});
