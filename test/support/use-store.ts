import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import { startStore } from '@parlance/store-engine';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An empty store that only the caller uses. */
export interface OwnStore {
  /** Includes the database name if the store needs one. */
  uri: string;
  /** Removes the store. Call this function after all clients have disconnected. */
  close: () => Promise<void>;
}

interface StoreSettings {
  /**
   * The interval at which a built-in store removes expired documents. The default is that of the
   * product.
   */
  sweepEveryMs?: number;
}

/**
 * Connects the tests of a file to a new store with all indexes. `uri` is set before the tests run.
 */
export function useStore(settings: StoreSettings = {}): { uri: string } {
  const used = { uri: '' };
  let close = () => Promise.resolve();
  beforeAll(async () => {
    const store = await ownStore(settings);
    close = async () => {
      await disconnectStore();
      await store.close();
    };
    used.uri = store.uri;
    await connectStore(store.uri);
    await ensureIndexes();
  });
  afterAll(() => close());
  return used;
}

/** Creates a database of the MongoDB at MONGODB_URI, or else a built-in store. */
export async function ownStore(settings: StoreSettings = {}): Promise<OwnStore> {
  const given = process.env['MONGODB_URI'];
  return given ? ownDatabase(given) : builtInStore(settings);
}

function ownDatabase(given: string): OwnStore {
  const uri = new URL(given);
  uri.pathname = `/tests_${randomUUID()}`;
  return {
    uri: uri.toString(),
    async close() {
      const client = await MongoClient.connect(uri.toString());
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** Starts a built-in store in a temporary folder that `close` deletes. */
export async function builtInStore(settings: StoreSettings = {}): Promise<OwnStore> {
  const folder = await temporaryFolder();
  const store = await startStore({ dataDir: folder.path, ...settings });
  return {
    uri: store.uri,
    async close() {
      await store.close();
      await folder.remove();
    },
  };
}
