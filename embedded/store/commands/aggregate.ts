import type { Stage } from '../aggregate/stages.ts';
import { compilePipeline } from '../aggregate/stages.ts';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, notSupported } from '../errors.ts';
import type { Step } from '../query/read.ts';
import { deadlineOf, findDocuments, refuseOptions } from './find.ts';
import type { FindWanted } from './find.ts';
import type { Documents } from './cursors.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docOf, docsOf, namespaceOf, wholeOf } from './request.ts';

const FIRST_BATCH = 101;
const BETWEEN_RESTS = 100;

export async function aggregate(store: Store, request: Request): Promise<Answer> {
  const { body } = request;
  checkFields(request, [
    'pipeline',
    'cursor',
    'explain',
    'allowDiskUse',
    'bypassDocumentValidation',
    'collation',
    'hint',
    'let',
  ]);
  refuseOptions(body, ['collation', 'let', 'explain']);
  if (isNumber(body.get('aggregate'))) throw notSupported('aggregations without a collection');
  if (!body.has('cursor')) {
    throw new StoreError(
      'FailedToParse',
      `The 'cursor' option is required, except for aggregate with the explain argument`,
    );
  }
  const namespace = namespaceOf(request);
  const stages = docsOf(request, 'pipeline');
  const { wanted, rest } = leadingFind(stages, body.get('hint'));
  const pipeline = compilePipeline(rest);
  const collection = store.catalog.get(namespace);
  const found = collection ? findDocuments(store, { collection, wanted }) : [][Symbol.iterator]();
  const documents = rest.length === 0 ? found : encoded(pipeline, found);
  const size = wholeOf(docOf(body.get('cursor'), 'cursor'), 'batchSize') ?? FIRST_BATCH;
  const batch = await store.cursors.open(documents, {
    namespace,
    single: false,
    size,
    deadline: deadlineOf(body),
  });
  return { cursor: { firstBatch: batch.documents, id: batch.id, ns: namespace }, ok: 1 };
}

/** The stages at the beginning that a find does, with its indexes: $match, then $sort, then $skip, then $limit. */
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
  return { wanted, rest };
}

function* encoded(pipeline: Stage, found: Documents): Generator<Step<Buffer>> {
  for (const doc of pipeline(decoded(found))) yield doc && encodeDocument(doc);
}

/** Rests every few documents: a stage that collects them all must let others be served meanwhile. */
function* decoded(found: Documents): Generator<Step<Doc>> {
  let count = 0;
  for (let next = found.next(); !next.done; next = found.next()) {
    if (++count % BETWEEN_RESTS === 0 || !next.value) yield undefined;
    if (next.value) yield decodeDocument(next.value);
  }
}
