import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import { startStore } from '@parlance/store-engine';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A store that nobody else uses, empty. */
export interface OwnStore {
  /** With the name of its database, if it needs one. */
  uri: string;
  /** After all who are connected have left. */
  close: () => Promise<void>;
}

interface StoreSettings {
  /** How often a built-in store removes what has expired; by default as in the product. */
  sweepEveryMs?: number;
}

/**
 * Connects a file's tests to a store of their own, with all indexes. Its address is there when they
 * run.
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

/** A database of the MongoDB that MONGODB_URI names; without it, a built-in store. */
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

/** A built-in store with a folder of its own, which goes with it. */
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
