import type { Value } from '../bson/value.ts';
import { compileFilter } from '../query/filter.ts';
import { plan } from '../query/plan.ts';
import { findMatching, paginate } from '../query/read.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { countInterval, countRange } from '../storage/ranges.ts';
import { findHintedIndex, parseTimeLimit, assertNoUnsupportedOptions, parseFindOptions } from './find.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseNamespace, integerOption } from './request.ts';
import { createPace } from './turns.ts';

export async function count(store: Store, request: CommandRequest): Promise<CommandReply> {
  const { body } = request;
  checkFields(request, ['query', 'limit', 'skip', 'hint', 'collation', 'fields']);
  assertNoUnsupportedOptions(body, ['collation']);
  const counted = await countMatching(store, store.catalog.get(parseNamespace(request)), {
    filter: body.get('query'),
    hint: body.get('hint'),
    skip: integerOption(body, 'skip') ?? 0,
    limit: parseFindOptions(body).limit,
    limitMs: parseTimeLimit(body),
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

export async function countMatching(
  store: Store,
  collection: StoredCollection | undefined,
  { filter: query, hint, skip, limit, limitMs }: Counting,
): Promise<number> {
  const filter = compileFilter(query);
  if (!collection) return 0;
  const { records, entries } = store.environment;
  const rest = (all: number): number => Math.min(limit, Math.max(0, all - skip));
  if (filter.fields.size === 0) return rest(countRange(records, collection.id));
  const chosen = plan(collection, { filter, sort: [], hint: findHintedIndex(collection, hint) });
  if (chosen.index && chosen.rest.fields.size === 0) {
    return rest(chosen.intervals.reduce((sum, interval) => sum + countInterval(entries, interval), 0));
  }
  const pace = createPace(limitMs);
  let n = 0;
  for (const found of paginate(findMatching(store, { collection, plan: chosen, filter }), { skip, limit })) {
    if (found) n++;
    const rest = pace.rest();
    if (rest) await rest;
  }
  return n;
}
