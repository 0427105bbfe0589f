import type { Value } from '../bson/value.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection, Index } from '../storage/collection.ts';
import { removeMatching } from './delete.ts';
import type { Store } from './request.ts';

const CURSOR_MS = 10 * 60_000;

/** Removes what TTL indexes let expire and forgets idle cursors, again and again. */
export function startExpiry(store: Store, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweep(store))
      .catch((error: unknown) => process.stderr.write(`store: ${String(error)}\n`));
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** One round of expiry. */
async function sweep(store: Store): Promise<void> {
  store.cursors.expire(Date.now() - CURSOR_MS);
  for (const collection of store.catalog.all()) {
    for (const index of collection.indexes) await expire(store, { collection, index });
  }
}

async function expire(
  store: Store,
  { collection, index }: { collection: StoredCollection; index: Index },
): Promise<void> {
  const field = index.fields[0]?.name;
  if (index.expireAfterSeconds === undefined || field === undefined) return;
  const before = new Date(Date.now() - index.expireAfterSeconds * 1000);
  const condition: Value = new Map([[field, new Map([['$lt', before]])]]);
  const partial = index.spec.get('partialFilterExpression');
  const filter = compileFilter(partial === undefined ? condition : new Map([['$and', [partial, condition]]]));
  await removeMatching(store, { target: { namespace: collection.namespace, filter }, limit: Infinity });
}
