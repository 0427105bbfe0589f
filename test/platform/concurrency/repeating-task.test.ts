import { describe, expect, test } from 'vitest';
import { repeatingTask } from '../../../platform/concurrency/repeating-task.ts';
import { eventually } from '../../support/eventually.ts';

const SOON = { withinMs: 60_000, everyMs: 1 };

const ignore = () => undefined;

describe('a repeating task', () => {
  test('a repeating task runs one round at a time, and no round after it was stopped', async () => {
    let [running, most, rounds] = [0, 0, 0];
    const task = repeatingTask(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 3));
        running -= 1;
        rounds += 1;
      },
      { everyMs: 1, onError: ignore },
    );
    task.start();
    task.start();
    await eventually(() => rounds > 3, SOON);
    await task.stop();
    expect([running, most]).toEqual([0, 1]);
    const after = rounds;
    task.start();
    expect(rounds).toBe(after);
  });

  test('a repeating task continues after a failed round and reports the error', async () => {
    const errors: unknown[] = [];
    const task = repeatingTask(() => Promise.reject(new Error('no store')), {
      everyMs: 1,
      onError: (error) => errors.push(error),
    });
    task.start();
    await eventually(() => errors.length > 2, SOON);
    await task.stop();
  });

  test('a repeating task starts the next round at once if there is more to do', async () => {
    let left = 3;
    const task = repeatingTask(() => Promise.resolve(--left > 0), { everyMs: 3_600_000, onError: ignore });
    task.start();
    await eventually(() => left === 0, SOON);
    await task.stop();
  });

  test('a repeating task runs no round if isWanted returns false, and runs if start is called when isWanted returns true', async () => {
    let [wanted, rounds] = [false, 0];
    const task = repeatingTask(() => Promise.resolve(void (rounds += 1)), {
      everyMs: 1,
      onError: ignore,
      isWanted: () => wanted,
    });
    task.start();
    expect(rounds).toBe(0);
    wanted = true;
    task.start();
    await eventually(() => rounds > 1, SOON);
    await task.stop();
  });

  test('a repeating task with waitsFirst waits before its first round, and can be stopped at once', async () => {
    let rounds = 0;
    const task = repeatingTask(() => Promise.resolve(void (rounds += 1)), {
      everyMs: 3_600_000,
      onError: ignore,
      waitsFirst: true,
    });
    task.start();
    await task.stop();
    expect(rounds).toBe(0);
  });
});
