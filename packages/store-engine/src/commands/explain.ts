import type { Doc } from '../bson/value.ts';
import { stringOf } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { Plan } from '../query/plan.ts';
import { fullScan, plan } from '../query/plan.ts';
import { matching } from '../query/read.ts';
import { recordsOf } from '../query/scan.ts';
import { parseSort } from '../query/sort.ts';
import { REFUSED, hintedIndex, refuseOptions } from './find.ts';
import { MARKER } from './session.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docOf, docsOf } from './request.ts';
import { createPace } from './turns.ts';

const VERBOSITIES: readonly unknown[] = ['queryPlanner', 'executionStats', 'allPlansExecution'];

interface Explained {
  collection: string;
  filter: Doc | undefined;
  sort: Doc | undefined;
  hint: unknown;
}

/**
 * Returns what a command would read: find, count, aggregate (its leading $match and $sort), update,
 * delete and findAndModify.
 */
export async function explain(store: Store, request: Request): Promise<Answer> {
  checkFields(request, ['verbosity']);
  const verbosity = request.body.get('verbosity') ?? 'allPlansExecution';
  if (!VERBOSITIES.includes(verbosity)) throw badValue('verbosity string must be one that is known');
  const inner = docOf(request.body.get('explain'), 'explain');
  refuseOptions(inner, REFUSED);
  const question = questionOf({ ...request, body: inner, name: [...inner.keys()][0] ?? '' });
  const namespace = `${request.database}.${question.collection}`;
  const collection = store.catalog.get(namespace);
  const filter = compileFilter(question.filter);
  const sort = parseSort(question.sort);
  const hint = collection && hintedIndex(collection, question.hint as Doc | undefined);
  const chosen = collection ? plan(collection, { filter, sort, hint }) : fullScan(filter);
  const input = collection ? stageOf(chosen, question.filter) : { stage: 'EOF' };
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
            nReturned: await lengthOf(matching(store, source)),
            totalDocsExamined: await lengthOf(recordsOf(store, source)),
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

async function lengthOf(values: Iterable<unknown>): Promise<number> {
  let length = 0;
  const pace = createPace();
  for (const value of values) {
    if (value !== undefined) length++;
    const rest = pace.rest();
    if (rest) await rest;
  }
  return length;
}

function stageOf(chosen: Plan, filter: Doc | undefined): Answer {
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

function questionOf(request: Request): Explained {
  const { name, body } = request;
  const base = { collection: stringOf(body.get(name)), hint: body.get('hint') };
  const doc = (field: string): Doc | undefined =>
    body.has(field) ? docOf(body.get(field), field) : undefined;
  switch (name) {
    case 'find':
      return { ...base, filter: doc('filter'), sort: doc('sort') };
    case 'count':
      return { ...base, filter: doc('query'), sort: undefined };
    case 'findAndModify':
      return { ...base, filter: doc('query'), sort: doc('sort') };
    case 'update':
    case 'delete': {
      const [first] = docsOf(request, name === 'update' ? 'updates' : 'deletes');
      return { ...base, filter: docOf(first?.get('q'), 'q'), sort: undefined };
    }
    case 'aggregate': {
      const stages = docsOf(request, 'pipeline');
      const match = stages[0]?.get('$match');
      const sort = stages[match === undefined ? 0 : 1]?.get('$sort');
      return {
        ...base,
        filter: match === undefined ? undefined : docOf(match, '$match'),
        sort: sort === undefined ? undefined : docOf(sort, '$sort'),
      };
    }
    case '':
      throw new StoreError('BadValue', 'explain needs a command');
    default:
      throw notSupported(`explain of ${name}`);
  }
}
