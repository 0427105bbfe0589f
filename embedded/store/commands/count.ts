import { EMPTY_ARRAY, keyOf } from '../bson/sort-key.ts';
import { decodeFields } from '../bson/decode.ts';
import type { Value } from '../bson/value.ts';
import { badValue } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import { parsePath, valuesForSort } from '../query/path.ts';
import { plan } from '../query/plan.ts';
import { matching, page } from '../query/read.ts';
import { countRange } from '../storage/ranges.ts';
import { giveWay } from './cursors.ts';
import { deadlineOf, hintedIndex, refuseOptions, wantedOf } from './find.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, namespaceOf, wholeOf } from './request.ts';

const BETWEEN_PAUSES = 500;

export async function count(store: Store, request: Request): Promise<Answer> {
  const { body } = request;
  checkFields(request, ['query', 'limit', 'skip', 'hint', 'collation', 'fields']);
  refuseOptions(body, ['collation']);
  const filter = compileFilter(body.get('query'));
  const collection = store.catalog.get(namespaceOf(request));
  if (!collection) return { n: 0, ok: 1 };
  const { limit } = wantedOf(body);
  const skip = wholeOf(body, 'skip') ?? 0;
  if (filter.fields?.size === 0) {
    return {
      n: Math.min(limit, Math.max(0, countRange(store.environment.records, collection.id) - skip)),
      ok: 1,
    };
  }
  const chosen = plan(collection, { filter, sort: [], hint: hintedIndex(collection, body.get('hint')) });
  const deadline = deadlineOf(body);
  let n = 0;
  for (const found of page(matching(store, { collection, plan: chosen, filter }), { skip, limit })) {
    if (found) n++;
    if (!found || n % BETWEEN_PAUSES === 0) await giveWay(deadline);
  }
  return { n, ok: 1 };
}

export async function distinct(store: Store, request: Request): Promise<Answer> {
  const { body } = request;
  checkFields(request, ['key', 'query', 'collation', 'hint']);
  refuseOptions(body, ['collation']);
  const key = body.get('key');
  if (typeof key !== 'string')
    throw badValue(`BSON field 'distinct.key' is the wrong type, expected type 'string'`);
  const filter = compileFilter(body.get('query'));
  const collection = store.catalog.get(namespaceOf(request));
  if (!collection) return { values: [], ok: 1 };
  const path = parsePath(key);
  const chosen = plan(collection, { filter, sort: [], hint: hintedIndex(collection, body.get('hint')) });
  const deadline = deadlineOf(body);
  const values = new Map<string, Value>();
  const root = new Set([path[0] ?? '']);
  let seen = 0;
  for (const found of matching(store, { collection, plan: chosen, filter })) {
    if (!found || ++seen % BETWEEN_PAUSES === 0) await giveWay(deadline);
    if (!found) continue;
    const doc = decodeFields(found.bytes, root);
    for (const value of valuesForSort(doc, path))
      if (value !== undefined && value !== EMPTY_ARRAY) values.set(keyOf(value).toString('latin1'), value);
  }
  const inOrder = [...values].sort(([left], [right]) => (left < right ? -1 : 1));
  return { values: inOrder.map(([, value]) => value), ok: 1 };
}
