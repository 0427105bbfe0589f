import mongoose from 'mongoose';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ListConcurrency } from '../../api/limits/list-concurrency.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';

const TOO_MUCH = { code: 'rate_limited' };

/** Returns lists whose clock has no delay of the event loop. */
function createLists(clock: { now: number }): ListConcurrency {
  const now = () => clock.now;
  return new ListConcurrency(now, { start: now, stop: now });
}

/** Returns a list request that takes `tookMs` and, like the store, fails after `withinMs`. */
function listOf(tookMs: number, clock: { now: number }) {
  return async ({ withinMs }: { withinMs: number }) => {
    await Promise.resolve();
    clock.now += Math.min(tookMs, withinMs);
    if (tookMs > withinMs) throw new SearchTooLong();
    return `after ${tookMs}`;
  };
}

/** Returns a list request that runs until `end` is called. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, list: () => ended };
}

/**
 * Returns a list request that fails its first, short attempt and whose second attempt runs until
 * `end` is called.
 */
function heldSlowly() {
  const { end, list } = held();
  return {
    end,
    list: ({ withinMs }: { withinMs: number }) =>
      withinMs < 1_000 ? Promise.reject(new SearchTooLong()) : list(),
  };
}

describe('lists', () => {
  test('lists are not charged for the time in which the event loop is delayed by other work', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let delayedMs = 0;
    const lists = new ListConcurrency(() => performance.now() + delayedMs);
    const list = (delayMs: number) => {
      const work = async () => {
        delayedMs += delayMs;
        await vi.advanceTimersByTimeAsync(100);
      };
      return lists.run(['root', 'acme', 'ann'], work, { freeMs: 0 });
    };
    for (let n = 0; n < 50; n += 1) await list(2_000);
    // Without the delay, the allowance ends as usual.
    const all = async () => {
      for (let n = 0; n < 400; n += 1) await list(0);
    };
    await expect(all()).rejects.toMatchObject(TOO_MUCH);
  });

  test('fast lists run without limit', async () => {
    const clock = { now: 0 };
    const lists = createLists(clock);
    for (let n = 0; n < 1_000; n += 1) await lists.run(['root', 'ann'], listOf(200, clock));
  });

  test('slow lists run until their caller has used up the allowance', async () => {
    const clock = { now: 0 };
    const lists = createLists(clock);
    const run = (user: string) => lists.run(['root', 'acme', user], listOf(6_000, clock));
    expect(await run('ann')).toBe('after 6000');
    // The allowance refills by half of the time that passes.
    await run('ann');
    await run('ann');
    await expect(run('ann')).rejects.toMatchObject({ ...TOO_MUCH, retryAfterSeconds: expect.any(Number) });
    expect(await run('bob')).toBe('after 6000');
    clock.now += 20_000;
    await run('ann');
  });

  test('large lists use the allowance from the start, even if they are fast', async () => {
    const clock = { now: 0 };
    const lists = createLists(clock);
    const large = () =>
      lists.run(['root', 'acme', 'ann'], async ({ awaitLargeSlot }) => {
        await awaitLargeSlot();
        clock.now += 200;
      });
    for (let n = 0; n < 100; n += 1) await large();
    await expect(large()).rejects.toMatchObject(TOO_MUCH);
  });

  test('lists without free time use the allowance from the start', async () => {
    const clock = { now: 0 };
    const lists = createLists(clock);
    const run = () => lists.run(['root', 'acme', 'ann'], listOf(200, clock), { freeMs: 0 });
    for (let n = 0; n < 100; n += 1) await run();
    await expect(run()).rejects.toMatchObject(TOO_MUCH);
  });

  test('lists that fail in an outage of the store do not use the allowance, unlike lists that fail otherwise', async () => {
    const clock = { now: 0 };
    const lists = createLists(clock);
    const fail = (error: Error) =>
      lists.run(['root', 'ann'], () => {
        clock.now += 9_000;
        return Promise.reject(error);
      });
    const outage = new mongoose.mongo.MongoNetworkError('read ECONNRESET');
    for (let n = 0; n < 10; n += 1) await expect(fail(outage)).rejects.toBe(outage);
    const fault = new Error('another failure');
    for (let n = 0; n < 2; n += 1) await expect(fail(fault)).rejects.toBe(fault);
    await expect(fail(fault)).rejects.toMatchObject(TOO_MUCH);
  });

  test('a list that takes longer than ten seconds is rejected, and the message names this limit', async () => {
    const clock = { now: 0 };
    const lists = createLists(clock);
    await expect(lists.run(['root', 'ann'], listOf(60_000, clock))).rejects.toMatchObject({
      ...TOO_MUCH,
      message: expect.stringContaining('not complete after 10 seconds'),
    });
    expect(clock.now).toBe(10_250);
  });

  test('one slow list per caller and two per organization run at a time, and at most two more slow lists of a caller wait', async () => {
    const lists = new ListConcurrency();
    const begun: string[] = [];
    const all: (() => void)[] = [];
    const run = (organization: string, user: string) => {
      const { end, list } = heldSlowly();
      all.push(end);
      return lists.run(['root', organization, user], (effort) => {
        if (effort.withinMs > 1_000) begun.push(user);
        return list(effort);
      });
    };
    const runs = [run('acme', 'ann'), run('acme', 'ann'), run('acme', 'ann')];
    await vi.waitFor(() => expect(begun).toEqual(['ann']), { timeout: 200_000 });
    await expect(run('acme', 'ann')).rejects.toMatchObject(TOO_MUCH);
    runs.push(run('acme', 'bob'));
    await vi.waitFor(() => expect(begun).toEqual(['ann', 'bob']), { timeout: 200_000 });
    runs.push(run('acme', 'eve'), run('other', 'kim'));
    await vi.waitFor(() => expect(begun).toEqual(['ann', 'bob', 'kim']), { timeout: 200_000 });
    await expect(lists.run(['root', 'acme', 'ann'], () => Promise.resolve('quick'))).resolves.toBe('quick');
    for (const end of all) end();
    await Promise.all(runs);
    expect(begun.toSorted()).toEqual(['ann', 'ann', 'ann', 'bob', 'eve', 'kim']);
  });

  test('four lists of one caller run at a time, without blocking other callers', async () => {
    const lists = new ListConcurrency();
    const all = Array.from({ length: 10 }, held);
    let begun = 0;
    const runs = all.map(({ list }) =>
      lists.run(['root', 'acme', 'ann'], () => {
        begun += 1;
        return list();
      }),
    );
    await expect(lists.run(['root', 'acme', 'bob'], () => Promise.resolve('bob'))).resolves.toBe('bob');
    expect(begun).toBe(4);
    for (const { end } of all) end();
    await Promise.all(runs);
    expect(begun).toBe(10);
  });

  test('one large list per caller and three in total are built at a time, without blocking small lists', async () => {
    const lists = new ListConcurrency();
    const large: string[] = [];
    const all = ['acme ann', 'acme ann', 'other bob', 'third kim', 'fourth eve'].map((name) => ({
      name,
      ...held(),
    }));
    const runs = all.map(({ name, list }) =>
      lists.run(['root', ...name.split(' ')], async ({ awaitLargeSlot }) => {
        await awaitLargeSlot();
        await awaitLargeSlot();
        large.push(name);
        await list();
      }),
    );
    await expect(lists.run(['root', 'acme', 'ann'], () => Promise.resolve('small'))).resolves.toBe('small');
    expect(large).toEqual(['acme ann', 'other bob', 'third kim']);
    all[0]?.end();
    await runs[0];
    await vi.waitFor(() => expect(large).toHaveLength(4), { timeout: 200_000 });
    for (const { end } of all) end();
    await Promise.all(runs);
    expect(large.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  });

  test('a large list frees its slot when it fails', async () => {
    const lists = new ListConcurrency();
    const fail = () =>
      lists.run(['root', 'ann'], async ({ awaitLargeSlot }) => {
        await awaitLargeSlot();
        throw new Error('no');
      });
    for (let n = 0; n < 5; n += 1) await expect(fail()).rejects.toThrow('no');
  });

  test('a list is rejected when fifty lists of the caller already wait', async () => {
    const lists = new ListConcurrency();
    const all = Array.from({ length: 54 }, held);
    const runs = all.map(({ list }) => lists.run(['root', 'ann'], list));
    await expect(lists.run(['root', 'ann'], () => Promise.resolve())).rejects.toMatchObject(TOO_MUCH);
    for (const { end } of all) end();
    await Promise.all(runs);
  });
});
