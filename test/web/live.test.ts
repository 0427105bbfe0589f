import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWatchdog } from '../../web/components/watchdog.ts';
import { stillTyping } from '../../web/components/timeline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('an open connection', () => {
  test('an open connection counts as dead after 35 seconds without data, but not while heartbeats arrive', () => {
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

  test.each([60_000, -60_000])(
    'an open connection counts as dead at once if the clock jumps by %d ms',
    (jump) => {
      const dead = vi.fn();
      createWatchdog(dead);
      vi.advanceTimersByTime(2_000);
      vi.setSystemTime(Date.now() + jump);
      vi.advanceTimersByTime(1_000);
      expect(dead).toHaveBeenCalledOnce();
    },
  );
});

test('a message ends the typing sign of its author only', () => {
  const agent = { role: 'agent' as const, author: { name: 'Grace' } };
  const other = { role: 'agent' as const, author: { name: 'Bo' } };
  const waiting = { role: 'bot' as const, message: 'm2' };
  const message = { id: 'm1', slug: 's', text: 'Hi', type: 'chat' as const, at: '', ...agent };
  expect(stillTyping([agent, other, waiting], message)).toEqual([other, waiting]);
  expect(stillTyping([waiting], { ...message, id: 'm2' })).toEqual([]);
});
