import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LaneCache } from '../../deliveries/lane-cache.ts';
import type { PendingDelivery } from '../../store/delivery/deliveries.ts';
import { rowsFor } from '../support/drain.ts';

const MAX = 16;
const LANE = 'service:conversation';

let laneCache: LaneCache;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  laneCache = new LaneCache();
});
afterEach(() => void vi.useRealTimers());

/**
 * Hands off the events of a conversation with sequences after `after` up to `through`. The service
 * subscribes only to the events in `received`.
 */
function bring({ after, through, received }: { after: number; through: number; received: number[] }) {
  const rows = received.flatMap((first) => rowsFor('service', { conversation: 'conversation', first }));
  const pending = rows.map((row) => ({ ...row, tries: 0, dueAt: new Date() }) as unknown as PendingDelivery);
  laneCache.handOff({ after, through, rows: pending });
}

const begin = () => laneCache.begin(LANE, MAX);
const sequencesOf = (rows: ReturnType<typeof begin>['rows']) => rows && rows.map(({ sequence }) => sequence);

describe('the cache of pending deliveries', () => {
  test('the cache of pending deliveries is complete from the first event of a conversation on', () => {
    bring({ after: 0, through: 2, received: [1, 2] });
    const turn = begin();
    expect(sequencesOf(turn.rows)).toEqual([1, 2]);
    bring({ after: 2, through: 4, received: [4] });
    turn.allDone(2);
    expect(sequencesOf(begin().rows)).toEqual([4]);
  });

  test('the cache of pending deliveries is incomplete if earlier events of the conversation were not handed off', () => {
    bring({ after: 7, through: 8, received: [8] });
    expect(begin().rows).toBeNull();
  });

  test('the cache of pending deliveries is complete again once the pending deliveries in the store are done', () => {
    bring({ after: 7, through: 9, received: [8] });
    begin().allDone(8);
    bring({ after: 9, through: 10, received: [10] });
    expect(sequencesOf(begin().rows)).toEqual([10]);
  });

  test('the cache of pending deliveries is incomplete after a gap that another process filled', () => {
    bring({ after: 0, through: 1, received: [1] });
    begin().allDone(1);
    bring({ after: 2, through: 3, received: [3] });
    expect(begin().rows).toBeNull();
  });

  test('the cache of pending deliveries is incomplete after its conversation was dropped and cached again', () => {
    bring({ after: 0, through: 1, received: [1] });
    begin().allDone(1);
    bring({ after: 0, through: 1, received: [1] });
    expect(begin().rows).toBeNull();
  });

  test('the cache of pending deliveries is incomplete after a turn that left deliveries pending', () => {
    bring({ after: 0, through: 1, received: [1] });
    begin();
    bring({ after: 1, through: 2, received: [2] });
    expect(begin().rows).toBeNull();
  });

  test('the cache of pending deliveries is incomplete after events were handed off during a read of the store', () => {
    const asked = begin();
    bring({ after: 0, through: 1, received: [1] });
    asked.allDone(1);
    expect(begin().rows).toBeNull();
  });

  test('the cache of pending deliveries is bypassed when it is stale or has more deliveries than one turn can send', () => {
    bring({ after: 0, through: 1, received: [1] });
    vi.advanceTimersByTime(400);
    expect(begin().rows).toBeNull();
    laneCache = new LaneCache();
    bring({ after: 0, through: 17, received: Array.from({ length: 17 }, (_, at) => at + 1) });
    expect(begin().rows).toBeNull();
  });
});
