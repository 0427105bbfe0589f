import type { Doc } from '../bson/value.ts';
import { toStringOrEmpty } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { QueryPlan } from '../query/plan.ts';
import { fullScan, plan } from '../query/plan.ts';
import { findMatching } from '../query/read.ts';
import { readRecordKeys } from '../query/scan.ts';
import { parseSort } from '../query/sort.ts';
import { UNSUPPORTED_OPTIONS, findHintedIndex, assertNoUnsupportedOptions } from './find.ts';
import { MARKER } from './session.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseDocument, parseDocuments } from './request.ts';
import { createPace } from './turns.ts';

const VERBOSITIES: readonly unknown[] = ['queryPlanner', 'executionStats', 'allPlansExecution'];

interface ExplainedQuery {
  collection: string;
  filter: Doc | undefined;
  sort: Doc | undefined;
  hint: unknown;
}

export async function explain(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, ['verbosity']);
  const verbosity = request.body.get('verbosity') ?? 'allPlansExecution';
  if (!VERBOSITIES.includes(verbosity)) throw badValue('verbosity string must be a known verbosity');
  const inner = parseDocument(request.body.get('explain'), 'explain');
  assertNoUnsupportedOptions(inner, UNSUPPORTED_OPTIONS);
  const question = parseExplainedQuery({ ...request, body: inner, name: [...inner.keys()][0] ?? '' });
  const namespace = `${request.database}.${question.collection}`;
  const collection = store.catalog.get(namespace);
  const filter = compileFilter(question.filter);
  const sort = parseSort(question.sort);
  const hint = collection && findHintedIndex(collection, question.hint as Doc | undefined);
  const chosen = collection ? plan(collection, { filter, sort, hint }) : fullScan(filter);
  const input = collection ? describeStage(chosen, question.filter) : { stage: 'EOF' };
  const winningPlan =
    chosen.sorted < sort.length ? { stage: 'SORT', sortPattern: question.sort, inputStage: input } : input;
  const planner = { namespace, parsedQuery: question.filter ?? {}, winningPlan, rejectedPlans: [] };
  const source = collection && { collection, plan: chosen, filter };
  const stats =
    verbosity === 'queryPlanner' || !source
      ? {}
      : {
          executionStats: {
            executionSuccess: true,
            nReturned: await countItems(findMatching(store, source)),
            totalDocsExamined: await countItems(readRecordKeys(store, source)),
          },
        };
  return {
    explainVersion: '1',
    queryPlanner: planner,
    ...stats,
    serverInfo: { version: '7.0.0', ...MARKER },
    ok: 1,
  };
}

async function countItems(values: Iterable<unknown>): Promise<number> {
  let length = 0;
  const pace = createPace();
  for (const value of values) {
    if (value !== undefined) length++;
    const rest = pace.rest();
    if (rest) await rest;
  }
  return length;
}

function describeStage(chosen: QueryPlan, filter: Doc | undefined): CommandReply {
  const { index } = chosen;
  if (!index) return { stage: 'COLLSCAN', ...(filter ? { filter } : {}), direction: 'forward' };
  const scan = {
    stage: 'IXSCAN',
    keyPattern: index.spec.get('key'),
    indexName: index.name,
    isMultiKey: index.multikey.size > 0,
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    direction: chosen.reverse ? 'backward' : 'forward',
    intervals: chosen.intervals.length,
    mergeSorted: chosen.merge,
  };
  return { stage: 'FETCH', ...(filter ? { filter } : {}), inputStage: scan };
}

function parseExplainedQuery(request: CommandRequest): ExplainedQuery {
  const { name, body } = request;
  const base = { collection: toStringOrEmpty(body.get(name)), hint: body.get('hint') };
  const doc = (field: string): Doc | undefined =>
    body.has(field) ? parseDocument(body.get(field), field) : undefined;
  switch (name) {
    case 'find':
      return { ...base, filter: doc('filter'), sort: doc('sort') };
    case 'count':
      return { ...base, filter: doc('query'), sort: undefined };
    case 'findAndModify':
      return { ...base, filter: doc('query'), sort: doc('sort') };
    case 'update':
    case 'delete': {
      const [first] = parseDocuments(request, name === 'update' ? 'updates' : 'deletes');
      return { ...base, filter: parseDocument(first?.get('q'), 'q'), sort: undefined };
    }
    case 'aggregate': {
      const stages = parseDocuments(request, 'pipeline');
      const match = stages[0]?.get('$match');
      const sort = stages[match === undefined ? 0 : 1]?.get('$sort');
      return {
        ...base,
        filter: match === undefined ? undefined : parseDocument(match, '$match'),
        sort: sort === undefined ? undefined : parseDocument(sort, '$sort'),
      };
    }
    case '':
      throw new StoreError('BadValue', 'explain needs a command');
    default:
      throw notSupported(`explain of ${name}`);
  }
}
