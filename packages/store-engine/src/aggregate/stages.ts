import type { Stage } from './stage.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import { parseProjection } from '../query/projection.ts';
import type { Step } from '../query/read.ts';
import { sortInSlices } from '../query/sort-slices.ts';
import { parseSort, sortKeyOf } from '../query/sort.ts';
import { compileGroup } from './group.ts';

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
  '$addFields',
  '$set',
  '$unset',
  '$unwind',
  '$count',
  '$sortByCount',
  '$replaceRoot',
  '$replaceWith',
  '$facet',
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
  $sort: sort,
  $skip: (operand) => limited({ skip: whole('$skip', operand), limit: Infinity }),
  $limit: (operand) => limited({ skip: 0, limit: positive('$limit', operand) }),
  $group: compileGroup,
};

function match(operand: Value): Stage {
  const { matches } = compileFilter(operand);
  return function* (input) {
    for (const doc of input) yield doc && matches(doc) ? doc : undefined;
  };
}

function project(operand: Value): Stage {
  if (!isDoc(operand) || operand.size === 0)
    throw badValue('$project specification must have at least one field');
  const projection = parseProjection(operand);
  return function* (input) {
    for (const doc of input) yield doc && (projection?.project(doc) ?? doc);
  };
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
