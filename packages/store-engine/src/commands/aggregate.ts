import { Int32 } from 'bson';
import type { Stage } from '../aggregate/stage.ts';
import { compilePipeline } from '../aggregate/stages.ts';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, notSupported } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { Step } from '../query/read.ts';
import { countMatching } from './count.ts';
import { findDocuments, limitOf, refuseOptions } from './find.ts';
import type { FindWanted } from './find.ts';
import type { Documents } from './cursors.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docOf, docsOf, namespaceOf, refuseUnknown, integerOption } from './request.ts';

const FIRST_BATCH = 101;
const BETWEEN_RESTS = 100;

const FIELDS = [
  'pipeline',
  'cursor',
  'explain',
  'allowDiskUse',
  'bypassDocumentValidation',
  'collation',
  'hint',
  'let',
];

export async function aggregate(store: Store, request: Request): Promise<Answer> {
  const { body } = request;
  checkAggregate(request);
  const namespace = namespaceOf(request);
  const stages = docsOf(request, 'pipeline');
  const { wanted, rest } = leadingFind(stages, body.get('hint'));
  const pipeline = compilePipeline(rest);
  const collection = store.catalog.get(namespace);
  const limitMs = limitOf(body);
  const isCounting = wanted.sort === undefined && wanted.projection === undefined;
  const counting = isCounting ? countingGroup(rest) : undefined;
  const documents = counting
    ? countedBy(counting, await countMatching(store, collection, { ...wanted, limitMs }))
    : documentsOf(store, { collection, wanted, pipeline: rest.length === 0 ? undefined : pipeline });
  const batch = await store.cursors.open(documents, {
    namespace,
    single: false,
    size: firstBatchOf(body),
    limitMs,
  });
  return { cursor: { firstBatch: batch.documents, id: batch.id, ns: namespace }, ok: 1 };
}

function checkAggregate(request: Request): void {
  const { body } = request;
  checkFields(request, FIELDS);
  refuseOptions(body, ['collation', 'let', 'explain']);
  if (isNumber(body.get('aggregate'))) throw notSupported('aggregations without a collection');
  if (!body.has('cursor')) {
    throw new StoreError(
      'FailedToParse',
      `The 'cursor' option is required, except for aggregate with the explain argument`,
    );
  }
}

function firstBatchOf(body: Doc): number {
  const cursor = docOf(body.get('cursor'), 'cursor');
  refuseUnknown(cursor, { allowed: ['batchSize'], command: 'aggregate.cursor' });
  return integerOption(cursor, 'batchSize') ?? FIRST_BATCH;
}

function documentsOf(
  store: Store,
  {
    collection,
    wanted,
    pipeline,
  }: { collection: Collection | undefined; wanted: FindWanted; pipeline: Stage | undefined },
): Documents {
  const found = collection ? findDocuments(store, { collection, wanted }) : [][Symbol.iterator]();
  return pipeline ? encoded(pipeline, found) : found;
}

interface CountingGroup {
  id: Value;
  field: string;
}

/** `{$group: {_id: 1, n: {$sum: 1}}}` and nothing more: what drivers send to count documents. */
function countingGroup(rest: readonly Doc[]): CountingGroup | undefined {
  const group = rest.length === 1 && rest[0]?.size === 1 ? rest[0].get('$group') : undefined;
  if (!isDoc(group) || group.size !== 2) return undefined;
  const id = group.get('_id');
  const [field = ''] = [...group.keys()].filter((name) => name !== '_id');
  const sum = group.get(field);
  if (!isDoc(sum) || sum.size !== 1 || !isOne(sum.get('$sum'))) return undefined;
  return isOne(id) ? { id, field } : undefined;
}

// Sums of other kinds of numbers are of other kinds.
function isOne(value: Value | undefined): value is Value {
  return value instanceof Int32 && value.value === 1;
}

function countedBy({ id, field }: CountingGroup, counted: number): Documents {
  const answer = new Map<string, Value>([
    ['_id', id],
    [field, new Int32(counted)],
  ]);
  return (counted === 0 ? [] : [encodeDocument(answer)])[Symbol.iterator]();
}

/**
 * The stages at the beginning that a find does, with its indexes: $match, then $sort, then $skip,
 * then $limit, then $project.
 */
function leadingFind(stages: readonly Doc[], hint: Value | undefined): { wanted: FindWanted; rest: Doc[] } {
  const wanted: FindWanted = {
    filter: undefined,
    sort: undefined,
    projection: undefined,
    hint,
    skip: 0,
    limit: Infinity,
  };
  const rest = [...stages];
  const take = (name: string): Value | undefined =>
    rest[0]?.size === 1 && rest[0].has(name) ? rest.shift()?.get(name) : undefined;
  const whole = (value: Value | undefined): number | undefined =>
    isNumber(value) ? toNumber(value) : undefined;
  wanted.filter = isDoc(rest[0]?.get('$match')) ? take('$match') : undefined;
  wanted.sort = take('$sort');
  if ((whole(rest[0]?.get('$skip')) ?? -1) >= 0) wanted.skip = whole(take('$skip')) ?? 0;
  if ((whole(rest[0]?.get('$limit')) ?? 0) > 0) wanted.limit = whole(take('$limit')) ?? Infinity;
  const projection = rest[0]?.get('$project');
  if (isDoc(projection) && projection.size > 0) wanted.projection = take('$project');
  return { wanted, rest };
}

function* encoded(pipeline: Stage, found: Documents): Generator<Step<Buffer>> {
  for (const doc of pipeline(decoded(found))) yield doc && encodeDocument(doc);
}

/**
 * Rests every few documents: a stage that collects them all must let others be served meanwhile.
 */
function* decoded(found: Documents): Generator<Step<Doc>> {
  let count = 0;
  for (let next = found.next(); !next.done; next = found.next()) {
    if (++count % BETWEEN_RESTS === 0 || !next.value) yield undefined;
    if (next.value) yield decodeDocument(next.value);
  }
}
