import { Double, Int32 } from 'bson';
import { compareValues, keyOf } from '../bson/sort-key.ts';
import type { Doc, NumberValue, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import type { Step } from '../query/read.ts';
import { compute } from '../update/numbers.ts';
import type { Expression } from './expression.ts';
import { compileExpression } from './expression.ts';

/** Collects one field of one group; undefined stands for a missing value. */
interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: sum,
  $avg: average,
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: first,
  $last: last,
  $push: () => list(false),
  $addToSet: () => list(true),
  $count: sum,
  $mergeObjects: merged,
};

function sum(): Accumulator {
  let total: NumberValue = new Int32(0);
  return {
    add: (value) => {
      if (isNumber(value)) total = compute('add', total, value);
    },
    result: () => total,
  };
}

function average(): Accumulator {
  let total = 0;
  let count = 0;
  return {
    add: (value) => {
      if (!isNumber(value)) return;
      total += toNumber(value);
      count++;
    },
    result: () => (count === 0 ? null : new Double(total / count)),
  };
}

function extreme(way: 1 | -1): Accumulator {
  let best: Value | undefined;
  return {
    add: (value) => {
      if (value === undefined || value === null) return;
      if (best === undefined || compareValues(value, best) * way > 0) best = value;
    },
    result: () => best ?? null,
  };
}

function first(): Accumulator {
  let found: { value: Value } | undefined;
  return {
    add: (value) => {
      found ??= { value: value ?? null };
    },
    result: () => found?.value ?? null,
  };
}

function last(): Accumulator {
  let found: Value = null;
  return {
    add: (value) => {
      found = value ?? null;
    },
    result: () => found,
  };
}

function list(distinct: boolean): Accumulator {
  const values: Value[] = [];
  const keys = new Set<string>();
  return {
    add: (value) => {
      if (value === undefined) return;
      const key = distinct ? keyOf(value).toString('latin1') : '';
      if (distinct && keys.has(key)) return;
      keys.add(key);
      values.push(value);
    },
    result: () => values,
  };
}

function merged(): Accumulator {
  const result: Doc = new Map();
  return {
    add: (value) => {
      if (isDoc(value)) for (const [name, inner] of value) result.set(name, inner);
    },
    result: () => result,
  };
}

interface Field {
  name: string;
  start: () => Accumulator;
  value: Expression;
}

interface Group {
  id: Value;
  accumulators: Accumulator[];
}

/** Compiles `$group`; groups come in the order in which they were first met. */
export function compileGroup(operand: Value): (input: Iterable<Step<Doc>>) => Iterable<Step<Doc>> {
  if (!isDoc(operand)) throw badValue(`a group's fields must be specified in an object`);
  if (!operand.has('_id')) throw badValue('a group specification must include an _id');
  const id = compileExpression(operand.get('_id') ?? null);
  const fields = [...operand].filter(([name]) => name !== '_id').map(([name, spec]) => fieldOf(name, spec));
  return function* (input) {
    const groups = new Map<string, Group>();
    let last: Group | undefined;
    for (const doc of input) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const scope = { root: doc, current: doc };
      const value = id(scope) ?? null;
      // What is sorted comes group by group.
      const group = last?.id === value ? last : groupOf(groups, { value, fields });
      fields.forEach((field, at) => group.accumulators[at]?.add(field.value(scope)));
      last = group;
    }
    for (const group of groups.values()) yield resultOf(group, fields);
  };
}

function groupOf(groups: Map<string, Group>, { value, fields }: { value: Value; fields: Field[] }): Group {
  const key = keyOf(value).toString('latin1');
  const known = groups.get(key);
  if (known) return known;
  const group = { id: value, accumulators: fields.map((field) => field.start()) };
  groups.set(key, group);
  return group;
}

function fieldOf(name: string, spec: Value): Field {
  const [operator] = isDoc(spec) ? spec.keys() : [];
  if (!isDoc(spec) || spec.size !== 1 || operator === undefined) {
    throw new StoreError('BadValue', `The field '${name}' must specify one accumulator`);
  }
  const start = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (!start) throw notSupported(`the accumulator ${operator}`);
  return {
    name,
    start,
    value: operator === '$count' ? () => new Int32(1) : compileExpression(spec.get(operator) ?? null),
  };
}

function resultOf(group: Group, fields: readonly Field[]): Doc {
  const results = fields.map(({ name }, at): [string, Value] => [
    name,
    group.accumulators[at]?.result() ?? null,
  ]);
  return new Map<string, Value>([['_id', group.id], ...results]);
}
