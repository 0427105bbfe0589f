import { describe, expect, test } from 'vitest';
import { createBatcher } from '../../../platform/concurrency/batcher.ts';
import { eventually } from '../../support/eventually.ts';

/** Returns a batcher whose batches wait, in order, until the test resolves them. */
function heldBatcher(options: { maxItems: number; maxWaitMs?: number }) {
  const batches: { items: number[]; answer: (results: number[]) => void; fail: (error: Error) => void }[] =
    [];
  const add = createBatcher<number, number>({
    ...options,
    write: (items) => new Promise((answer, fail) => batches.push({ items, answer, fail })),
  });
  return { add, batches, begun: () => batches.map(({ items }) => items) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a batcher', () => {
  test('a batcher collects the items that arrive during a batch, and writes them together in the next batch, in order', async () => {
    const { add, batches, begun } = heldBatcher({ maxItems: 10 });
    const all = Promise.all([1, 2, 3].map(add));
    expect(begun()).toEqual([[1]]);
    batches[0]!.answer([10]);
    await turn();
    expect(begun()).toEqual([[1], [2, 3]]);
    batches[1]!.answer([20, 30]);
    expect(await all).toEqual([10, 20, 30]);
  });

  test('a batcher writes at most maxItems per batch', async () => {
    const { add, batches, begun } = heldBatcher({ maxItems: 2 });
    void [1, 2, 3, 4].map(add);
    batches[0]!.answer([1]);
    await turn();
    expect(begun()).toEqual([[1], [2, 3], [4]]);
  });

  test('a batcher starts the next batch after maxWaitMs if the current batch is slow', async () => {
    const { add, batches, begun } = heldBatcher({ maxItems: 10, maxWaitMs: 5 });
    void add(1);
    const second = add(2);
    await eventually(() => begun().length >= 2, { everyMs: 1 });
    expect(begun()).toEqual([[1], [2]]);
    batches[1]!.answer([20]);
    expect(await second).toBe(20);
  });

  test('a batcher rejects the items of a batch that fails or returns too few results, and writes the next batch', async () => {
    const { add, batches } = heldBatcher({ maxItems: 2 });
    const first = add(1);
    const others = [2, 3].map(add);
    batches[0]!.fail(new Error('no store'));
    await expect(first).rejects.toThrow('no store');
    await turn();
    batches[1]!.answer([20]);
    for (const one of others) await expect(one).rejects.toThrow('too few');
    const last = add(4);
    await turn();
    batches[2]!.answer([40]);
    expect(await last).toBe(40);
  });
});
