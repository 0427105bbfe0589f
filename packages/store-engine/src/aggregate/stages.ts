import type { PipelineStage } from './group.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import { parseProjection } from '../query/projection.ts';
import type { ItemOrPause } from '../query/read.ts';
import { sortInSlices, parseSort, buildSortKey } from '../query/sort.ts';
import { compileGroup } from './group.ts';

export function compilePipeline(stages: readonly Value[]): PipelineStage {
  const compiled = stages.map(compileStage);
  return (input) =>
    compiled.reduce<Iterable<ItemOrPause<Doc>>>((documents, stage) => stage(documents), input);
}

function compileStage(spec: Value): PipelineStage {
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

const STAGES: Record<string, (operand: Value) => PipelineStage> = {
  $match: match,
  $project: project,
  $sort: sort,
  $skip: (operand) => sliceDocuments({ skip: parseNonNegative('$skip', operand), limit: Infinity }),
  $limit: (operand) => sliceDocuments({ skip: 0, limit: parsePositive('$limit', operand) }),
  $group: compileGroup,
};

function match(operand: Value): PipelineStage {
  const { matches } = compileFilter(operand);
  return function* (input) {
    for (const doc of input) yield doc && matches(doc) ? doc : undefined;
  };
}

function project(operand: Value): PipelineStage {
  if (!isDoc(operand) || operand.size === 0)
    throw badValue('$project specification must have at least one field');
  const projection = parseProjection(operand);
  return function* (input) {
    for (const doc of input) yield doc && (projection?.project(doc) ?? doc);
  };
}

function sort(operand: Value): PipelineStage {
  const fields = parseSort(operand);
  return function* (input) {
    const keyed: { doc: Doc; order: Buffer }[] = [];
    for (const doc of input) {
      if (doc) keyed.push({ doc, order: buildSortKey(doc, fields) });
      else yield undefined;
    }
    for (const { doc } of yield* sortInSlices(keyed)) yield doc;
  };
}

function parseNonNegative(name: string, operand: Value): number {
  const number = isNumber(operand) ? toNumber(operand) : NaN;
  if (!Number.isInteger(number) || number < 0)
    throw badValue(`invalid argument to ${name} stage: Expected a non-negative number`);
  return number;
}

function parsePositive(name: string, operand: Value): number {
  const number = parseNonNegative(name, operand);
  if (number === 0) throw badValue('the limit must be positive');
  return number;
}

function sliceDocuments({ skip, limit }: { skip: number; limit: number }): PipelineStage {
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
