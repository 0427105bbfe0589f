import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FairScheduler } from '../../../platform/concurrency/fair-scheduler.ts';
import type { FairPolicy, Release } from '../../../platform/concurrency/fair-scheduler.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Returns a scheduler with the order in which work started and a function with which the test ends
 * work.
 */
function begun(policy: FairPolicy) {
  const scheduler = new FairScheduler(policy);
  const order: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (tenant: string, name: string) =>
    scheduler.run(['root', tenant], () => {
      order.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await settled();
  };
  return { scheduler, add, order, end };
}

const refusal = (_: unknown, ahead: number) => new Error(`refused behind ${ahead}`);

describe('the fair scheduler', () => {
  test("the fair scheduler runs a tenant's only piece of work before the hundredth of another tenant", async () => {
    const { add, order, end } = begun({ max: 1 });
    for (let at = 0; at < 100; at += 1) void add('busy', `busy ${at}`);
    void add('calm', 'calm');
    await settled();
    await end('busy 0');
    await end('busy 1');
    expect(order.slice(0, 3)).toEqual(['busy 0', 'busy 1', 'calm']);
  });

  test('the fair scheduler with maxEach 1 runs one piece of work per tenant at a time, and several tenants in parallel', async () => {
    const { add, order, end } = begun({ max: 2, maxEach: 1 });
    for (const name of ['a1', 'a2']) void add('a', name);
    for (const name of ['b1', 'c1']) void add(name[0]!, name);
    await settled();
    expect(order).toEqual(['a1', 'b1']);
    await end('b1');
    expect(order).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  test('the fair scheduler continues after failed work and rejects with the error of that work', async () => {
    const { add, end } = begun({ max: 1 });
    const [failed, next] = [add('a', 'a1'), add('a', 'a2')];
    failed.catch(() => undefined);
    await settled();
    await end('a1', new Error('no store'));
    await expect(failed).rejects.toThrow('no store');
    await end('a2');
    expect(await next).toBe('a2');
  });

  test('the fair scheduler refuses work if too much work of the same tenant already waits', async () => {
    const { add } = begun({ maxEach: 1, maxWaitingEach: 2, refusal });
    for (const name of ['a1', 'a2', 'a3']) void add('a', name);
    await expect(add('a', 'a4')).rejects.toThrow('refused behind 3');
  });

  test('the fair scheduler starts work for which a slot is free, even if the queue is full', async () => {
    const { add, order } = begun({ maxEach: 1, maxWaiting: 1, refusal });
    for (const name of ['a1', 'a2']) void add('a', name);
    void add('b', 'b1');
    await settled();
    expect(order).toEqual(['a1', 'b1']);
  });

  test('the fair scheduler refuses work that the policy refuses, even with a free slot', async () => {
    const { add } = begun({ isRefused: (_, ahead) => ahead > 0, refusal });
    void add('a', 'a1');
    await expect(add('a', 'a2')).rejects.toThrow('refused behind 1');
  });

  test('the fair scheduler refuses work that has waited too long', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const scheduler = new FairScheduler({ max: 1, maxWaitMs: 1_000, refusal });
    const release = await scheduler.enter(['a']);
    const late = scheduler.enter(['a']);
    late.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(late).rejects.toThrow('refused behind 1');
    release();
    (await scheduler.enter(['a']))();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the fair scheduler, once closed, refuses waiting and new work', async () => {
    const { scheduler, add } = begun({ max: 1, refusal });
    void add('a', 'a1');
    const waiting = add('b', 'b1');
    scheduler.close();
    await expect(waiting).rejects.toThrow('refused');
    await expect(add('c', 'c1')).rejects.toThrow('refused');
  });

  test('the fair scheduler reports the cost of a piece of work once, and reports nothing if no cost is given', async () => {
    const costs: [string, number][] = [];
    const scheduler = new FairScheduler({ noteCost: (path, costMs) => costs.push([path.join(' '), costMs]) });
    await scheduler.run(['root', 'a'], async (spent) => {
      await settled();
      spent(7);
    });
    const release = await scheduler.enter(['root', 'b']);
    release(5);
    release(6);
    await scheduler.run(['root', 'c'], settled);
    expect(costs).toEqual([
      ['root a', 7],
      ['root b', 5],
    ]);
  });

  test('the fair scheduler counts running work at the nodes that the policy names', async () => {
    const { add, order } = begun({
      countedNodes: (path) => [...path, 'slow'],
      mayStart: (_, running) => running.of('slow') < 2,
    });
    for (const name of ['a1', 'b1', 'c1']) void add(name[0]!, name);
    await settled();
    expect(order).toEqual(['a1', 'b1']);
  });
});

const MAX = 8;
const MAX_EACH = 3;

/** Random steps: a tenant adds work, or running work ends. */
const STEPS = fc.array(
  fc.oneof(
    fc.record({ arrives: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3')) }),
    fc.record({ ends: fc.nat() }),
  ),
  { maxLength: 80 },
);

interface Run {
  path: string[];
  release: Release;
}

/** Runs the steps on a scheduler and calls `check` after each step. */
async function play(
  steps: ({ arrives: [string, string] } | { ends: number })[],
  check: (running: Run[], waiting: string[][]) => void = () => undefined,
) {
  const scheduler = new FairScheduler({ max: MAX, maxEach: MAX_EACH });
  const running: Run[] = [];
  const waiting: string[][] = [];
  for (const step of steps) {
    if ('arrives' in step) {
      const [branch, child] = step.arrives;
      const path = ['root', branch, `${branch}${child}`];
      waiting.push(path);
      void scheduler.enter(path).then((release) => {
        waiting.splice(waiting.indexOf(path), 1);
        running.push({ path, release });
      });
    } else running.splice(step.ends % Math.max(1, running.length), 1)[0]?.release();
    await settled();
    check(running, waiting);
  }
  return { running, waiting };
}

const countOf = (running: Run[], node: string) => running.filter(({ path }) => path.includes(node)).length;

describe('the fair scheduler, for any order of arrivals and ends', () => {
  test('the fair scheduler never exceeds a limit, and never lets work wait that the limits allow to run', async () => {
    const property = fc.asyncProperty(STEPS, async (steps) => {
      await play(steps, (running, waiting) => {
        const fits = ([root, branch, end]: string[]) =>
          countOf(running, root!) < MAX &&
          countOf(running, branch!) < MAX - countOf(running, root!) &&
          countOf(running, end!) < Math.min(MAX_EACH, MAX - countOf(running, branch!));
        expect(running.length).toBeLessThanOrEqual(MAX);
        for (const { path } of running) expect(countOf(running, path[2]!)).toBeLessThanOrEqual(MAX_EACH);
        for (const path of waiting) expect(fits(path)).toBe(false);
      });
    });
    await fc.assert(property);
  });

  test('the fair scheduler runs all work in the end', async () => {
    const property = fc.asyncProperty(STEPS, async (steps) => {
      const { running, waiting } = await play(steps);
      while (running.length > 0) {
        running.shift()?.release();
        await settled();
      }
      expect(waiting).toEqual([]);
    });
    await fc.assert(property);
  });
});
