import { Int32 } from 'bson';
import type { PipelineStage } from '../aggregate/group.ts';
import { compilePipeline } from '../aggregate/stages.ts';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, notSupported } from '../errors.ts';
import type { StoredCollection } from '../storage/collection.ts';
import type { ItemOrPause } from '../query/read.ts';
import { countMatching } from './count.ts';
import { findDocuments, parseTimeLimit, assertNoUnsupportedOptions } from './find.ts';
import type { FindOptions } from './find.ts';
import type { Documents } from './cursors.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import {
  checkFields,
  parseDocument,
  parseDocuments,
  parseNamespace,
  assertKnownFields,
  integerOption,
} from './request.ts';

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

export async function aggregate(store: Store, request: CommandRequest): Promise<CommandReply> {
  const { body } = request;
  checkAggregate(request);
  const namespace = parseNamespace(request);
  const stages = parseDocuments(request, 'pipeline');
  const { wanted, rest } = leadingFind(stages, body.get('hint'));
  const pipeline = compilePipeline(rest);
  const collection = store.catalog.get(namespace);
  const limitMs = parseTimeLimit(body);
  const isCounting = wanted.sort === undefined && wanted.projection === undefined;
  const counting = isCounting ? countingGroup(rest) : undefined;
  const documents = counting
    ? buildCountResult(counting, await countMatching(store, collection, { ...wanted, limitMs }))
    : aggregateDocuments(store, { collection, wanted, pipeline: rest.length === 0 ? undefined : pipeline });
  const batch = await store.cursors.open(documents, {
    namespace,
    single: false,
    size: readFirstBatchSize(body),
    limitMs,
  });
  return { cursor: { firstBatch: batch.documents, id: batch.id, ns: namespace }, ok: 1 };
}

function checkAggregate(request: CommandRequest): void {
  const { body } = request;
  checkFields(request, FIELDS);
  assertNoUnsupportedOptions(body, ['collation', 'let', 'explain']);
  if (isNumber(body.get('aggregate'))) throw notSupported('aggregations without a collection');
  if (!body.has('cursor')) {
    throw new StoreError(
      'FailedToParse',
      `The 'cursor' option is required, except for aggregate with the explain argument`,
    );
  }
}

function readFirstBatchSize(body: Doc): number {
  const cursor = parseDocument(body.get('cursor'), 'cursor');
  assertKnownFields(cursor, { allowed: ['batchSize'], command: 'aggregate.cursor' });
  return integerOption(cursor, 'batchSize') ?? FIRST_BATCH;
}

function aggregateDocuments(
  store: Store,
  {
    collection,
    wanted,
    pipeline,
  }: { collection: StoredCollection | undefined; wanted: FindOptions; pipeline: PipelineStage | undefined },
): Documents {
  const found = collection ? findDocuments(store, { collection, wanted }) : [][Symbol.iterator]();
  return pipeline ? encodeResults(pipeline, found) : found;
}

interface CountingGroup {
  id: Value;
  field: string;
}

/** Recognizes `{$group: {_id: 1, n: {$sum: 1}}}`, which drivers send to count documents. */
function countingGroup(rest: readonly Doc[]): CountingGroup | undefined {
  const group = rest.length === 1 && rest[0]?.size === 1 ? rest[0].get('$group') : undefined;
  if (!isDoc(group) || group.size !== 2) return undefined;
  const id = group.get('_id');
  const [field = ''] = [...group.keys()].filter((name) => name !== '_id');
  const sum = group.get(field);
  if (!isDoc(sum) || sum.size !== 1 || !isOne(sum.get('$sum'))) return undefined;
  return isOne(id) ? { id, field } : undefined;
}

// Accepts int32 only, because another number type would change the type of the sum.
function isOne(value: Value | undefined): value is Value {
  return value instanceof Int32 && value.value === 1;
}

function buildCountResult({ id, field }: CountingGroup, counted: number): Documents {
  const answer = new Map<string, Value>([
    ['_id', id],
    [field, new Int32(counted)],
  ]);
  return (counted === 0 ? [] : [encodeDocument(answer)])[Symbol.iterator]();
}

/** Splits off the leading stages that a find, with its indexes, can run. */
function leadingFind(stages: readonly Doc[], hint: Value | undefined): { wanted: FindOptions; rest: Doc[] } {
  const wanted: FindOptions = {
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

function* encodeResults(pipeline: PipelineStage, found: Documents): Generator<ItemOrPause<Buffer>> {
  for (const doc of pipeline(decodeDocuments(found))) yield doc && encodeDocument(doc);
}

/**
 * Pauses every BETWEEN_RESTS documents, so that other commands run while a stage collects its
 * input.
 */
function* decodeDocuments(found: Documents): Generator<ItemOrPause<Doc>> {
  let count = 0;
  for (let next = found.next(); !next.done; next = found.next()) {
    if (++count % BETWEEN_RESTS === 0 || !next.value) yield undefined;
    if (next.value) yield decodeDocument(next.value);
  }
}
