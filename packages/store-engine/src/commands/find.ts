import { Long } from 'bson';
import { compareValues } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toStringOrEmpty, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import { plan } from '../query/plan.ts';
import { parseProjection } from '../query/projection.ts';
import { findMatching, paginate, projectFound, sortFound } from '../query/read.ts';
import { parseSort } from '../query/sort.ts';
import type { StoredCollection, Index } from '../storage/collection.ts';
import type { Documents } from './cursors.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseFlag, parseNamespace, integerOption } from './request.ts';

const FIRST_BATCH = 101;

const FIELDS = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'max',
  'min',
  'returnKey',
  'showRecordId',
  'tailable',
  'oplogReplay',
  'noCursorTimeout',
  'awaitData',
  'allowPartialResults',
  'collation',
  'allowDiskUse',
  'let',
];

export const UNSUPPORTED_OPTIONS = [
  ...['max', 'min', 'returnKey', 'showRecordId', 'collation', 'let'],
  ...['tailable', 'awaitData', 'noCursorTimeout'],
];

export function assertNoUnsupportedOptions(body: Doc, names: readonly string[]): void {
  for (const name of names) {
    const value = body.get(name);
    if (value === undefined || value === null || value === false || (isDoc(value) && value.size === 0))
      continue;
    if (name === 'collation' && isDoc(value) && value.get('locale') === 'simple') continue;
    throw notSupported(name);
  }
}

/** Throws BadValue for an unknown index. */
export function findHintedIndex(
  collection: StoredCollection,
  hint: Value | undefined,
): Index | 'natural' | undefined {
  if (hint === undefined || hint === null || (isDoc(hint) && hint.size === 0)) return undefined;
  if (isDoc(hint) && hint.has('$natural')) return naturalOrder(hint);
  const ready = collection.indexes.filter((index) => !index.building);
  const found = ready.find((index) =>
    isDoc(hint) ? compareValues(index.spec.get('key'), hint) === 0 : index.name === hint,
  );
  if (!found) throw badValue('error processing query: planner returned error: bad hint');
  return found;
}

function naturalOrder(hint: Doc): 'natural' {
  const direction = hint.get('$natural');
  const way = isNumber(direction) ? toNumber(direction) : 0;
  if (hint.size > 1 || (way !== 1 && way !== -1)) throw badValue('$natural hint must be 1 or -1, and alone');
  if (way === -1) throw notSupported('the hint $natural: -1');
  return 'natural';
}

export function parseTimeLimit(body: Doc): number | undefined {
  return integerOption(body, 'maxTimeMS') || undefined;
}

export interface FindOptions {
  filter: Value | undefined;
  sort: Value | undefined;
  projection: Value | undefined;
  hint: Value | undefined;
  skip: number;
  limit: number;
}

export function findDocuments(
  store: Store,
  { collection, wanted }: { collection: StoredCollection; wanted: FindOptions },
): Documents {
  const filter = compileFilter(wanted.filter);
  const sort = parseSort(wanted.sort);
  const projection = parseProjection(wanted.projection);
  const chosen = plan(collection, { filter, sort, hint: findHintedIndex(collection, wanted.hint) });
  const found = findMatching(store, { collection, plan: chosen, filter });
  const { skip, limit } = wanted;
  const inOrder = sortFound(found, { sort, sortedFields: chosen.sorted, limit: skip + limit });
  return projectFound(paginate(inOrder, { skip, limit }), projection);
}

export function parseFindOptions(body: Doc): FindOptions {
  const limit = Math.abs(integerOption(body, 'limit') ?? 0);
  return {
    filter: body.get('filter'),
    sort: body.get('sort'),
    projection: body.get('projection'),
    hint: body.get('hint'),
    skip: integerOption(body, 'skip') ?? 0,
    limit: limit === 0 ? Infinity : limit,
  };
}

export async function find(store: Store, request: CommandRequest): Promise<CommandReply> {
  const { body } = request;
  checkFields(request, FIELDS);
  assertNoUnsupportedOptions(body, UNSUPPORTED_OPTIONS);
  const namespace = parseNamespace(request);
  const collection = store.catalog.get(namespace);
  const wanted = parseFindOptions(body);
  const documents = collection ? findDocuments(store, { collection, wanted }) : emptyFindResult(wanted);
  const single = parseFlag(body, 'singleBatch') || (integerOption(body, 'limit') ?? 0) < 0;
  const size = integerOption(body, 'batchSize') ?? FIRST_BATCH;
  const batch = await store.cursors.open(documents, {
    namespace,
    single,
    size: Math.min(size, wanted.limit + 1),
    limitMs: parseTimeLimit(body),
  });
  return { cursor: { firstBatch: batch.documents, id: batch.id, ns: namespace }, ok: 1 };
}

/** Returns no documents for a missing collection, but refuses a malformed query. */
function emptyFindResult(wanted: FindOptions): Documents {
  compileFilter(wanted.filter);
  parseSort(wanted.sort);
  parseProjection(wanted.projection);
  return [][Symbol.iterator]();
}

export async function getMore(store: Store, request: CommandRequest): Promise<CommandReply> {
  const { body, database } = request;
  checkFields(request, ['collection', 'batchSize']);
  const id = body.get('getMore');
  if (!(id instanceof Long))
    throw new StoreError(
      'TypeMismatch',
      `BSON field 'getMore.getMore' is the wrong type, expected type 'long'`,
    );
  const namespace = `${database}.${toStringOrEmpty(body.get('collection'))}`;
  const batch = await store.cursors.next(id, {
    namespace,
    size: integerOption(body, 'batchSize'),
  });
  return { cursor: { nextBatch: batch.documents, id: batch.id, ns: namespace }, ok: 1 };
}

export function killCursors(store: Store, request: CommandRequest): CommandReply {
  checkFields(request, ['cursors']);
  const namespace = parseNamespace(request);
  const ids = request.body.get('cursors');
  const killed: Long[] = [];
  const unknown: Long[] = [];
  for (const id of Array.isArray(ids) ? ids : []) {
    if (id instanceof Long) (store.cursors.kill(id, namespace) ? killed : unknown).push(id);
  }
  return { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
}
