import { afterAll, beforeAll } from 'vitest';
import { startStore } from '@parlance/store-engine';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Connects a file's tests to a built-in store of their own, with all indexes. Its address is there
 * when they run.
 */
export function useStore(): { uri: string } {
  const used = { uri: '' };
  let close = () => Promise.resolve();
  beforeAll(async () => {
    const folder = await temporaryFolder();
    const store = await startStore({ dataDir: folder.path });
    close = async () => {
      await disconnectStore();
      await store.close();
      await folder.remove();
    };
    used.uri = store.uri;
    await connectStore(store.uri);
    await ensureIndexes();
  });
  afterAll(() => close());
  return used;
}
