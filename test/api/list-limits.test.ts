import { describe, expect, test, vi } from 'vitest';
import { createListConcurrency } from '../../api/limits/lists.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';

const TOO_MUCH = { code: 'rate_limited' };

/** A list that takes so long, and gives up as the store does. */
function listOf(tookMs: number, clock: { now: number }) {
  return async ({ withinMs }: { withinMs: number }) => {
    await Promise.resolve();
    clock.now += Math.min(tookMs, withinMs);
    if (tookMs > withinMs) throw new SearchTooLong();
    return `after ${tookMs}`;
  };
}

/** A list that is under way until it is told to end. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, list: () => ended };
}

/** A list that is known to take long, held in its second try. */
function heldSlowly() {
  const { end, list } = held();
  return {
    end,
    list: ({ withinMs }: { withinMs: number }) =>
      withinMs < 1_000 ? Promise.reject(new SearchTooLong()) : list(),
  };
}

describe('lists', () => {
  test('that are quick are let in as often as they come', async () => {
    const clock = { now: 0 };
    const lists = createListConcurrency(() => clock.now);
    for (let n = 0; n < 1_000; n += 1) await lists.run(['root', 'ann'], listOf(200, clock));
  });

  test('that take long are run, until their caller has used up their allowance', async () => {
    const clock = { now: 0 };
    const lists = createListConcurrency(() => clock.now);
    const run = (user: string) => lists.run(['root', 'acme', user], listOf(6_000, clock));
    expect(await run('ann')).toBe('after 6000');
    // Half of what each takes is given back while it runs.
    await run('ann');
    await run('ann');
    await expect(run('ann')).rejects.toMatchObject({ ...TOO_MUCH, retryAfterSeconds: expect.any(Number) });
    expect(await run('bob')).toBe('after 6000');
    clock.now += 20_000;
    await run('ann');
  });

  test('that become large count from the beginning, however quick they are', async () => {
    const clock = { now: 0 };
    const lists = createListConcurrency(() => clock.now);
    const large = () =>
      lists.run(['root', 'acme', 'ann'], async ({ awaitLargeSlot }) => {
        await awaitLargeSlot();
        clock.now += 200;
      });
    for (let n = 0; n < 100; n += 1) await large();
    await expect(large()).rejects.toMatchObject(TOO_MUCH);
  });

  test('without free time count from the beginning', async () => {
    const clock = { now: 0 };
    const lists = createListConcurrency(() => clock.now);
    const run = () => lists.run(['root', 'acme', 'ann'], listOf(200, clock), { freeMs: 0 });
    for (let n = 0; n < 100; n += 1) await run();
    await expect(run()).rejects.toMatchObject(TOO_MUCH);
  });

  test('that are not over after ten seconds are refused in clear words', async () => {
    const clock = { now: 0 };
    const lists = createListConcurrency(() => clock.now);
    await expect(lists.run(['root', 'ann'], listOf(60_000, clock))).rejects.toMatchObject({
      ...TOO_MUCH,
      message: expect.stringContaining('not over after 10 seconds'),
    });
    expect(clock.now).toBe(10_250);
  });

  test('that take long run one at a time for a caller, two for an organization; two of a caller wait', async () => {
    const lists = createListConcurrency();
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
    await vi.waitFor(() => expect(begun).toEqual(['ann']), { timeout: 60_000 });
    await expect(run('acme', 'ann')).rejects.toMatchObject(TOO_MUCH);
    runs.push(run('acme', 'bob'));
    await vi.waitFor(() => expect(begun).toEqual(['ann', 'bob']), { timeout: 60_000 });
    runs.push(run('acme', 'eve'), run('other', 'kim'));
    await vi.waitFor(() => expect(begun).toEqual(['ann', 'bob', 'kim']), { timeout: 60_000 });
    await expect(lists.run(['root', 'acme', 'ann'], () => Promise.resolve('quick'))).resolves.toBe('quick');
    for (const end of all) end();
    await Promise.all(runs);
    expect(begun.toSorted()).toEqual(['ann', 'ann', 'ann', 'bob', 'eve', 'kim']);
  });

  test('of one caller wait for each other, four at a time, while others go on', async () => {
    const lists = createListConcurrency();
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

  test('that become large are put together one at a time for a caller, three in all, while small ones go on', async () => {
    const lists = createListConcurrency();
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
    await vi.waitFor(() => expect(large).toHaveLength(4), { timeout: 60_000 });
    for (const { end } of all) end();
    await Promise.all(runs);
    expect(large.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  });

  test('that fail give back their place among large ones', async () => {
    const lists = createListConcurrency();
    const fail = () =>
      lists.run(['root', 'ann'], async ({ awaitLargeSlot }) => {
        await awaitLargeSlot();
        throw new Error('no');
      });
    for (let n = 0; n < 5; n += 1) await expect(fail()).rejects.toThrow('no');
  });

  test('beyond fifty that wait are refused', async () => {
    const lists = createListConcurrency();
    const all = Array.from({ length: 54 }, held);
    const runs = all.map(({ list }) => lists.run(['root', 'ann'], list));
    await expect(lists.run(['root', 'ann'], () => Promise.resolve())).rejects.toMatchObject(TOO_MUCH);
    for (const { end } of all) end();
    await Promise.all(runs);
  });
});
