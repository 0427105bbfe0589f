import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stillTyping } from '../../web/components/timeline.ts';
import { createWatchdog } from '../../web/components/watchdog.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a connection that stays open', () => {
  test('is dead once nothing has arrived for 35 seconds, and is not while heartbeats come', () => {
    const dead = vi.fn();
    const watchdog = createWatchdog(dead);
    for (let beat = 0; beat < 20; beat += 1) {
      vi.advanceTimersByTime(15_000);
      watchdog.seen();
    }
    expect(dead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(37_000);
    expect(dead).toHaveBeenCalledOnce();
  });

  test.each([60_000, -60_000])('is dead at once when the clock jumped by %d ms: the device slept', (jump) => {
    const dead = vi.fn();
    createWatchdog(dead);
    vi.advanceTimersByTime(2_000);
    vi.setSystemTime(Date.now() + jump);
    vi.advanceTimersByTime(1_000);
    expect(dead).toHaveBeenCalledOnce();
  });
});

test('typing ends for the author of a message that has come, and for nobody else', () => {
  const agent = { role: 'agent' as const, author: { name: 'Grace' } };
  const other = { role: 'agent' as const, author: { name: 'Bo' } };
  const waiting = { role: 'bot' as const, message: 'm2' };
  const message = { id: 'm1', slug: 's', text: 'Hi', type: 'chat' as const, at: '', ...agent };
  expect(stillTyping([agent, other, waiting], message)).toEqual([other, waiting]);
  expect(stillTyping([waiting], { ...message, id: 'm2' })).toEqual([]);
});
