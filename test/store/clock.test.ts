import { expect, onTestFinished, test, vi } from 'vitest';
import { requireRightClock, storeDate, storeNow } from '../../store/cluster/clock.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { ownStore } from '../support/use-store.ts';

test('the store time advances evenly when the clock of the machine is changed', async () => {
  const store = await ownStore();
  onTestFinished(async () => {
    vi.useRealTimers();
    await disconnectStore();
    await store.close();
  });
  await connectStore(store.uri);
  expect(requireRightClock).not.toThrow();
  const before = Date.now();
  const startedAt = performance.now();
  /** Returns how far, in milliseconds, the store time has deviated from the elapsed time. */
  const aheadMs = () => Math.abs(storeNow() - before - (performance.now() - startedAt));
  expect(aheadMs()).toBeLessThan(60_000);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(before + 3600_000);
  expect(aheadMs()).toBeLessThan(60_000);
  expect(requireRightClock).toThrow(/^The clock of this machine is 3[56]\d\d s ahead of that of the MongoDB/);
  vi.setSystemTime(before - 3600_000);
  expect(aheadMs()).toBeLessThan(60_000);
  expect(storeDate().getTime()).toBeGreaterThan(before - 60_000);
});
