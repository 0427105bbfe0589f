import { EventEmitter } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startRunClock } from '../../../application/expressions/run-clock.ts';
import type { Excess, Usage } from '../../../application/expressions/run-clock.ts';
import { startRun } from '../../../application/expressions/run.ts';

const BEFORE: Usage = { cpuMs: 5_000, residentMiB: 40 };

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

/** Starts a run clock for a process whose usage is a function of the time since the start. */
function clockOver(usage: (sinceMs: number) => Usage | undefined) {
  const found: { excess: Excess; atMs: number }[] = [];
  const startedAt = performance.now();
  const sinceMs = () => performance.now() - startedAt;
  const clock = startRunClock(
    1,
    { before: BEFORE, exceeded: (excess) => void found.push({ excess, atMs: sinceMs() }) },
    () => Promise.resolve(usage(sinceMs())),
  );
  return { found, clock };
}

const idle = () => BEFORE;

describe('the clock of a run', () => {
  test('the clock of a run ends the run after a second of CPU time', async () => {
    const { found } = clockOver((ms) => ({ ...BEFORE, cpuMs: BEFORE.cpuMs + ms }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([{ excess: 'time', atMs: 1_000 }]);
  });

  test('the clock of a run ends the run after five seconds of wall time', async () => {
    const { found } = clockOver(idle);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([{ excess: 'time', atMs: 5_000 }]);
  });

  test('an expression that gets a quarter of a core on a busy machine may use a second of CPU time', async () => {
    const { found } = clockOver((ms) => ({ ...BEFORE, cpuMs: BEFORE.cpuMs + ms / 4 }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([{ excess: 'time', atMs: 4_000 }]);
  });

  test('the clock of a run counts wall time as CPU time if the system has no /proc', async () => {
    const { found } = clockOver(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([{ excess: 'time', atMs: 1_000 }]);
  });

  test('the clock of a run ends the run at the first check that finds 128 MiB of additional memory', async () => {
    const { found } = clockOver((ms) => ({ ...BEFORE, residentMiB: BEFORE.residentMiB + ms }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([{ excess: 'memory', atMs: 150 }]);
  });

  test('the clock of a run does not count the time of lookups', async () => {
    const { found, clock } = clockOver(idle);
    for (let lookup = 0; lookup < 4; lookup += 1) {
      await vi.advanceTimersByTimeAsync(1_200);
      clock.pause();
      clock.pause();
      await vi.advanceTimersByTimeAsync(5_000);
      clock.resume();
      await vi.advanceTimersByTimeAsync(5_000);
      clock.resume();
    }
    expect(found).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(found).toHaveLength(1);
  });

  test('a stall of the machine does not make the clock of a run end the run', async () => {
    const { found } = clockOver(idle);
    await vi.advanceTimersByTimeAsync(100);
    const before = performance.now();
    const now = vi.spyOn(performance, 'now').mockImplementation(() => before + 5_000);
    await vi.advanceTimersByTimeAsync(50);
    expect(found).toEqual([]);
    now.mockRestore();
  });

  test('the clock of a run stops with the run', async () => {
    const { found, clock } = clockOver(idle);
    clock.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(found).toEqual([]);
  });
});

describe('the run of an expression', () => {
  /** Creates a run with a simulated child process that requests one record. */
  function asking() {
    const child = Object.assign(new EventEmitter(), {
      connected: true,
      send: vi.fn(),
      kill: vi.fn(() => run.handleExit('SIGKILL')),
    });
    let answer = (): void => undefined;
    const look = () => new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
    const request = { kind: 'run', id: 1, expression: '1' } as const;
    const run = startRun(child as unknown as ChildProcess, { request, look, before: BEFORE });
    run.handleMessage({ kind: 'lookup', id: 1, lookup: 0, name: 'contact', filter: '{}' });
    return { run, child, found: () => answer() };
  }

  /**
   * Lets the clock check once. Between two timers, the check reads /proc, which takes real time.
   */
  async function check(isOver: () => boolean): Promise<void> {
    await vi.advanceTimersToNextTimerAsync();
    while (vi.getTimerCount() === 0 && !isOver()) await setImmediate();
  }

  test('the clock of a run stops during a lookup and restarts afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { run, child, found } = asking();
    const isOver = () => child.kill.mock.calls.length > 0;
    for (let checks = 0; checks < 100; checks += 1) await check(isOver);
    expect(isOver()).toBe(false);
    found();
    const foundAt = performance.now();
    while (!isOver()) await check(isOver);
    expect(performance.now() - foundAt).toBe(1_000);
    expect(await run.end).toEqual({ excess: 'time' });
  });
});
