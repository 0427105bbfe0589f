import { plan } from '../query/plan.ts';
import type { Found, Step } from '../query/read.ts';
import { matching, page, sorted } from '../query/read.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { hintedIndex } from './find.ts';
import type { Store } from './request.ts';
import { createPace } from './turns.ts';
import type { Target } from './target.ts';

/** Fewer documents than that are read through in a few milliseconds. */
const FEW_DOCUMENTS = 2000;

/** The documents that a write is meant for, in its order. */
export function* found(
  store: Store,
  { target, limit }: { target: Target; limit: number },
): Generator<Step<Found>> {
  const collection = store.catalog.get(target.namespace);
  if (!collection) return;
  const sort = parseSort(target.sort);
  const chosen = planOf(collection, target);
  const all = matching(store, { collection, plan: chosen, filter: target.filter });
  yield* page(sorted(all, { sort, sorted: chosen.sorted, limit }), { skip: 0, limit });
}

function planOf(collection: Collection, target: Target) {
  return plan(collection, {
    filter: target.filter,
    sort: parseSort(target.sort),
    hint: hintedIndex(collection, target.hint),
  });
}

/**
 * Whether finding the document would read through many, so that it has to be done outside the write
 * transaction.
 */
export function isLongSearch(store: Store, target: Target): boolean {
  const collection = store.catalog.get(target.namespace);
  if (!collection || collection.nextRecord < FEW_DOCUMENTS) return false;
  const { index, sorted: done } = planOf(collection, target);
  return index === undefined || done < parseSort(target.sort).length;
}

/**
 * The record keys of what matches now, found while others are served. Each has to be checked again
 * before it is changed.
 */
export async function searchKeys(store: Store, wanted: { target: Target; limit: number }): Promise<Buffer[]> {
  const keys: Buffer[] = [];
  const pace = createPace();
  for (const one of found(store, wanted)) {
    if (one) keys.push(one.key);
    const rest = pace.rest();
    if (rest) await rest;
  }
  return keys;
}
