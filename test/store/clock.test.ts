import { expect, onTestFinished, test, vi } from 'vitest';
import { startStore } from '@parlance/store-engine';
import { storeDate, storeNow } from '../../store/cluster/clock.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the time by the store goes on evenly while the clock of this machine is set', async () => {
  const folder = await temporaryFolder();
  const store = await startStore({ dataDir: folder.path });
  onTestFinished(async () => {
    vi.useRealTimers();
    await disconnectStore();
    await store.close();
    await folder.remove();
  });
  await connectStore(store.uri);
  const before = Date.now();
  expect(Math.abs(storeNow() - before)).toBeLessThan(2_000);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(before + 3600_000);
  expect(storeNow() - before).toBeLessThan(60_000);
  vi.setSystemTime(before - 3600_000);
  expect(storeDate().getTime() - before).toBeGreaterThan(-2_000);
});
