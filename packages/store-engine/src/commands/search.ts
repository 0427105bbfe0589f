import { plan } from '../query/plan.ts';
import type { FoundDocument, ItemOrPause } from '../query/read.ts';
import { findMatching, paginate, sortFound } from '../query/read.ts';
import { parseSort } from '../query/sort.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { findHintedIndex } from './find.ts';
import type { Store } from './request.ts';
import { createPace } from './turns.ts';
import type { Value } from '../bson/value.ts';
import type { CompiledFilter } from '../query/filter.ts';

/** Up to this many documents, a full scan takes a few milliseconds. */
const FEW_DOCUMENTS = 2000;

export function* findForWrite(
  store: Store,
  { target, limit }: { target: WriteTarget; limit: number },
): Generator<ItemOrPause<FoundDocument>> {
  const collection = store.catalog.get(target.namespace);
  if (!collection) return;
  const sort = parseSort(target.sort);
  const chosen = choosePlan(collection, target);
  const all = findMatching(store, { collection, plan: chosen, filter: target.filter });
  yield* paginate(sortFound(all, { sort, sortedFields: chosen.sorted, limit }), { skip: 0, limit });
}

function choosePlan(collection: StoredCollection, target: WriteTarget) {
  return plan(collection, {
    filter: target.filter,
    sort: parseSort(target.sort),
    hint: findHintedIndex(collection, target.hint),
  });
}

/** Returns whether the search is too long for a write transaction. */
export function isLongSearch(store: Store, target: WriteTarget): boolean {
  const collection = store.catalog.get(target.namespace);
  if (!collection || collection.nextRecord < FEW_DOCUMENTS) return false;
  const { index, sorted: done } = choosePlan(collection, target);
  return index === undefined || done < parseSort(target.sort).length;
}

/** Pauses for other commands, so the caller must check each document again before a change. */
export async function searchKeys(
  store: Store,
  wanted: { target: WriteTarget; limit: number },
): Promise<Buffer[]> {
  const keys: Buffer[] = [];
  const pace = createPace();
  for (const one of findForWrite(store, wanted)) {
    if (one) keys.push(one.key);
    const rest = pace.rest();
    if (rest) await rest;
  }
  return keys;
}

export interface WriteTarget {
  namespace: string;
  filter: CompiledFilter;
  sort?: Value | undefined;
  hint?: Value | undefined;
}
