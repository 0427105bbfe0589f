import { Int32 } from 'bson';
import { encodeKey } from '../bson/sort-key.ts';
import type { Doc, NumberValue, Value } from '../bson/value.ts';
import { isDoc, isNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import type { ItemOrPause } from '../query/read.ts';
import { add } from '../update/operators.ts';
import { parsePath } from '../query/path.ts';

/** Accumulates one field of a group. `add(undefined)` stands for a missing value. */
interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: sum,
  $push: list,
};

function sum(): Accumulator {
  let total: NumberValue = new Int32(0);
  return {
    add: (value) => {
      if (isNumber(value)) total = add(total, value);
    },
    result: () => total,
  };
}

function list(): Accumulator {
  const values: Value[] = [];
  return {
    add: (value) => {
      if (value !== undefined) values.push(value);
    },
    result: () => values,
  };
}

interface GroupField {
  name: string;
  start: () => Accumulator;
  value: Expression;
}

interface GroupState {
  id: Value;
  accumulators: Accumulator[];
}

export function compileGroup(
  operand: Value,
): (input: Iterable<ItemOrPause<Doc>>) => Iterable<ItemOrPause<Doc>> {
  if (!isDoc(operand)) throw badValue(`a group's fields must be specified in an object`);
  if (!operand.has('_id')) throw badValue('a group specification must include an _id');
  const id = compileExpression(operand.get('_id') ?? null);
  const fields = [...operand]
    .filter(([name]) => name !== '_id')
    .map(([name, spec]) => compileGroupField(name, spec));
  return function* (input) {
    const groups = new Map<string, GroupState>();
    let last: GroupState | undefined;
    for (const doc of input) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const value = id(doc) ?? null;
      // In sorted input, equal ids follow one another, so try the previous group first.
      const group = last?.id === value ? last : findOrCreateGroup(groups, { value, fields });
      fields.forEach((field, at) => group.accumulators[at]?.add(field.value(doc)));
      last = group;
    }
    for (const group of groups.values()) yield buildGroupDocument(group, fields);
  };
}

function findOrCreateGroup(
  groups: Map<string, GroupState>,
  { value, fields }: { value: Value; fields: GroupField[] },
): GroupState {
  const key = encodeKey(value).toString('latin1');
  const known = groups.get(key);
  if (known) return known;
  const group = { id: value, accumulators: fields.map((field) => field.start()) };
  groups.set(key, group);
  return group;
}

function compileGroupField(name: string, spec: Value): GroupField {
  const [operator] = isDoc(spec) ? spec.keys() : [];
  if (!isDoc(spec) || spec.size !== 1 || operator === undefined) {
    throw new StoreError('BadValue', `The field '${name}' must specify one accumulator`);
  }
  const start = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (!start) throw notSupported(`the accumulator ${operator}`);
  return { name, start, value: compileExpression(spec.get(operator) ?? null) };
}

function buildGroupDocument(group: GroupState, fields: readonly GroupField[]): Doc {
  const results = fields.map(({ name }, at): [string, Value] => [
    name,
    group.accumulators[at]?.result() ?? null,
  ]);
  return new Map<string, Value>([['_id', group.id], ...results]);
}

type Expression = (doc: Doc) => Value | undefined;

/**
 * Compiles a field path or a constant other than a document or array. Throws NotImplemented (238)
 * for anything else.
 */
function compileExpression(spec: Value): Expression {
  if (typeof spec === 'string' && spec.startsWith('$$')) throw notSupported(`the variable ${spec}`);
  if (typeof spec === 'string' && spec.startsWith('$')) {
    const path = parsePath(spec.slice(1));
    return (doc) => readPath(doc, path);
  }
  if (!isDoc(spec) && !Array.isArray(spec)) return () => spec;
  const [first] = isDoc(spec) ? spec.keys() : [];
  throw notSupported(
    first?.startsWith('$')
      ? `the aggregation operator ${first}`
      : 'aggregation expressions in documents or arrays',
  );
}

function readPath(value: Value | undefined, path: readonly string[]): Value | undefined {
  let here = value;
  for (let at = 0; at < path.length; at++) {
    if (Array.isArray(here)) {
      const rest = path.slice(at);
      return here.flatMap((element) => {
        const found = isDoc(element) || Array.isArray(element) ? readPath(element, rest) : undefined;
        return found === undefined ? [] : [found];
      });
    }
    here = isDoc(here) ? here.get(path[at] ?? '') : undefined;
  }
  return here;
}

export type PipelineStage = (input: Iterable<ItemOrPause<Doc>>) => Iterable<ItemOrPause<Doc>>;
