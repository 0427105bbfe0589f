import type { Value } from '../bson/value.ts';
import { compileFilter } from '../query/filter.ts';
import { plan } from '../query/plan.ts';
import { matching, page } from '../query/read.ts';
import type { Collection } from '../storage/collection.ts';
import { countInterval, countRange } from '../storage/ranges.ts';
import { hintedIndex, limitOf, refuseOptions, wantedOf } from './find.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, namespaceOf, integerOption } from './request.ts';
import { createPace } from './turns.ts';

export async function count(store: Store, request: Request): Promise<Answer> {
  const { body } = request;
  checkFields(request, ['query', 'limit', 'skip', 'hint', 'collation', 'fields']);
  refuseOptions(body, ['collation']);
  const counted = await countMatching(store, store.catalog.get(namespaceOf(request)), {
    filter: body.get('query'),
    hint: body.get('hint'),
    skip: integerOption(body, 'skip') ?? 0,
    limit: wantedOf(body).limit,
    limitMs: limitOf(body),
  });
  return { n: counted, ok: 1 };
}

interface Counting {
  filter: Value | undefined;
  hint: Value | undefined;
  skip: number;
  limit: number;
  limitMs: number | undefined;
}

/**
 * How many documents match; where an index says all that the filter asks, without looking at one of
 * them.
 */
export async function countMatching(
  store: Store,
  collection: Collection | undefined,
  { filter: query, hint, skip, limit, limitMs }: Counting,
): Promise<number> {
  const filter = compileFilter(query);
  if (!collection) return 0;
  const { records, entries } = store.environment;
  const rest = (all: number): number => Math.min(limit, Math.max(0, all - skip));
  if (filter.fields.size === 0) return rest(countRange(records, collection.id));
  const chosen = plan(collection, { filter, sort: [], hint: hintedIndex(collection, hint) });
  if (chosen.index && chosen.rest.fields.size === 0) {
    return rest(chosen.intervals.reduce((sum, interval) => sum + countInterval(entries, interval), 0));
  }
  const pace = createPace(limitMs);
  let n = 0;
  for (const found of page(matching(store, { collection, plan: chosen, filter }), { skip, limit })) {
    if (found) n++;
    const rest = pace.rest();
    if (rest) await rest;
  }
  return n;
}
