import type { Stage } from './stage.ts';
import { Int32 } from 'bson';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import { parsePath } from '../query/path.ts';
import { parseProjection } from '../query/projection.ts';
import type { Step } from '../query/read.ts';
import { sortInSlices } from '../query/sort-slices.ts';
import { parseSort, sortKeyOf } from '../query/sort.ts';
import { cloneValue, setAt, unsetAt } from '../update/place.ts';
import { compileExpression } from './expression.ts';
import { compileGroup } from './group.ts';
import { unwind } from './unwind.ts';

/**
 * Compiles a pipeline into one function over documents; a stage that the engine does not have is
 * refused.
 */
export function compilePipeline(stages: readonly Value[]): Stage {
  const compiled = stages.map(compileStage);
  return (input) => compiled.reduce<Iterable<Step<Doc>>>((documents, stage) => stage(documents), input);
}

function compileStage(spec: Value): Stage {
  if (!isDoc(spec) || spec.size !== 1) {
    throw new StoreError(
      'Location40353',
      'A pipeline stage specification object must contain exactly one field.',
    );
  }
  const [name = ''] = spec.keys();
  const compile = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (compile) return compile(spec.get(name) ?? null);
  if (KNOWN_TO_MONGODB.includes(name)) throw notSupported(`the stage ${name}`);
  throw new StoreError('Location40324', `Unrecognized pipeline stage name: '${name}'`);
}

const KNOWN_TO_MONGODB = [
  '$lookup',
  '$graphLookup',
  '$out',
  '$merge',
  '$unionWith',
  '$bucket',
  '$bucketAuto',
  '$sample',
  '$geoNear',
  '$redact',
  '$search',
  '$setWindowFields',
  '$fill',
  '$densify',
  '$changeStream',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$documents',
  '$listSessions',
];

const STAGES: Record<string, (operand: Value) => Stage> = {
  $match: match,
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $sort: sort,
  $skip: (operand) => limited({ skip: whole('$skip', operand), limit: Infinity }),
  $limit: (operand) => limited({ skip: 0, limit: positive('$limit', operand) }),
  $unwind: unwind,
  $group: compileGroup,
  $count: countInto,
  $sortByCount: sortByCount,
  $replaceRoot: (operand) => replaceRoot(isDoc(operand) ? (operand.get('newRoot') ?? null) : null),
  $replaceWith: replaceRoot,
  $facet: facet,
};

function match(operand: Value): Stage {
  const { matches } = compileFilter(operand);
  return function* (input) {
    for (const doc of input) yield doc && matches(doc) ? doc : undefined;
  };
}

function mapped(change: (doc: Doc) => Doc): Stage {
  return function* (input) {
    for (const doc of input) yield doc && change(doc);
  };
}

function project(operand: Value): Stage {
  if (!isDoc(operand) || operand.size === 0)
    throw badValue('$project specification must have at least one field');
  const projection = parseProjection(operand);
  return mapped((doc) => projection?.project(doc) ?? doc);
}

function addFields(operand: Value): Stage {
  if (!isDoc(operand)) throw badValue('$addFields specification stage must be an object');
  const fields = [...operand].map(([name, value]) => ({
    path: parsePath(name),
    compute: compileExpression(value),
  }));
  return mapped((doc) => {
    const result: Doc = new Map(doc);
    for (const { path, compute } of fields) {
      const value = compute({ root: doc, current: doc });
      if (value === undefined) continue;
      const root = path[0] ?? '';
      const existing = result.get(root);
      if (path.length > 1) result.set(root, isDoc(existing) ? cloneValue(existing) : new Map());
      setAt(result, path, value);
    }
    return result;
  });
}

function unset(operand: Value): Stage {
  const names = (Array.isArray(operand) ? operand : [operand]).map((name) => {
    if (typeof name !== 'string')
      throw badValue('$unset specification must be a string or an array of strings');
    return parsePath(name);
  });
  return mapped((doc) => {
    const result = new Map([...doc].map(([name, value]) => [name, cloneValue(value)]));
    for (const path of names) unsetAt(result, path);
    return result;
  });
}

function sort(operand: Value): Stage {
  const fields = parseSort(operand);
  return function* (input) {
    const keyed: { doc: Doc; order: Buffer }[] = [];
    for (const doc of input) {
      if (doc) keyed.push({ doc, order: sortKeyOf(doc, fields) });
      else yield undefined;
    }
    for (const { doc } of yield* sortInSlices(keyed)) yield doc;
  };
}

function whole(name: string, operand: Value): number {
  const number = isNumber(operand) ? toNumber(operand) : NaN;
  if (!Number.isInteger(number) || number < 0)
    throw badValue(`invalid argument to ${name} stage: Expected a non-negative number`);
  return number;
}

function positive(name: string, operand: Value): number {
  const number = whole(name, operand);
  if (number === 0) throw badValue('the limit must be positive');
  return number;
}

function limited({ skip, limit }: { skip: number; limit: number }): Stage {
  return function* (input) {
    let position = 0;
    for (const doc of input) {
      if (doc && position++ < skip) {
        yield undefined;
        continue;
      }
      yield doc;
      if (position - skip >= limit) return;
    }
  };
}

function countInto(operand: Value): Stage {
  if (typeof operand !== 'string' || operand === '')
    throw badValue('the count field must be a non-empty string');
  return function* (input) {
    let count = 0;
    for (const doc of input) {
      if (doc) count++;
      else yield undefined;
    }
    if (count > 0) yield new Map([[operand, new Int32(count)]]);
  };
}

function sortByCount(operand: Value): Stage {
  const group = compileGroup(
    new Map<string, Value>([
      ['_id', operand],
      ['count', new Map([['$sum', new Int32(1)]])],
    ]),
  );
  const order = sort(new Map([['count', new Int32(-1)]]));
  return (input) => order(group(input));
}

function replaceRoot(operand: Value): Stage {
  const compute = compileExpression(operand);
  return mapped((doc) => {
    const root = compute({ root: doc, current: doc });
    if (!isDoc(root)) throw badValue(`'newRoot' expression must evaluate to an object`);
    return root;
  });
}

function facet(operand: Value): Stage {
  if (!isDoc(operand) || operand.size === 0)
    throw badValue('the $facet specification must be a non-empty object');
  const facets = [...operand].map(([name, stages]) => {
    if (!Array.isArray(stages)) throw badValue(`arguments to $facet must be arrays, ${name} is not`);
    return [name, compilePipeline(stages)] as const;
  });
  return function* (input) {
    const documents = yield* collected(input);
    const results: Doc = new Map();
    for (const [name, pipeline] of facets) results.set(name, yield* collected(pipeline(documents)));
    yield results;
  };
}

function* collected(input: Iterable<Step<Doc>>): Generator<undefined, Doc[]> {
  const documents: Doc[] = [];
  for (const doc of input) {
    if (doc) documents.push(doc);
    else yield undefined;
  }
  return documents;
}
