import { BSONRegExp } from 'bson';
import { compareValues, keyOf } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { StoreError, badValue } from '../errors.ts';
import { compileFilter, conditionsOf } from '../query/filter.ts';
import { valueMatches } from '../query/operators.ts';
import { parseSort, sortKeyOf } from '../query/sort.ts';

type Change = (current: Value | undefined) => Value | undefined;
type Edit = (array: Value[]) => Value[];

type ArrayOperator = '$push' | '$addToSet' | '$pop' | '$pull' | '$pullAll';

const EDITS: Record<ArrayOperator, (operand: Value) => Edit> = {
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: pull,
  $pullAll: pullAll,
};

/**
 * The operators that edit an array; a field that is missing counts as an empty one for those that
 * add.
 */
export function arrayOperator(name: ArrayOperator): (operand: Value, path: string) => Change {
  return (operand, path) => {
    const edit = EDITS[name](operand);
    const adds = name === '$push' || name === '$addToSet';
    return (current) => {
      if (current === undefined) return adds ? edit([]) : undefined;
      if (Array.isArray(current)) return edit(current);
      const code = adds && name === '$push' ? 'BadValue' : name === '$pop' ? 'TypeMismatch' : 'BadValue';
      throw new StoreError(code, `The field '${path}' must be an array to apply ${name}`);
    };
  };
}

const PUSH_MODIFIERS = ['$each', '$slice', '$sort', '$position'];

function wholeNumber(value: Value, name: string): number {
  if (isNumber(value) && Number.isInteger(toNumber(value))) return toNumber(value);
  throw badValue(`The value for ${name} must be an integer value`);
}

function push(operand: Value): Edit {
  if (!isDoc(operand) || !operand.has('$each')) return (array) => [...array, operand];
  const unknown = [...operand.keys()].find((name) => !PUSH_MODIFIERS.includes(name));
  if (unknown !== undefined) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  const added = eachOf(operand);
  const [position, slice, sort] = [operand.get('$position'), operand.get('$slice'), operand.get('$sort')];
  const at = position === undefined ? undefined : wholeNumber(position, '$position');
  const count = slice === undefined ? undefined : wholeNumber(slice, '$slice');
  const compare = sort === undefined ? undefined : elementOrder(sort);
  return (array) => {
    const grown = at === undefined ? [...array, ...added] : inserted({ array, added, at });
    if (compare) grown.sort(compare);
    if (count === undefined) return grown;
    return count >= 0 ? grown.slice(0, count) : grown.slice(count);
  };
}

function inserted({ array, added, at }: { array: Value[]; added: Value[]; at: number }): Value[] {
  return array.toSpliced(at, 0, ...added);
}

function eachOf(operand: Doc): Value[] {
  const each = operand.get('$each');
  if (!Array.isArray(each)) throw badValue('The argument to $each must be an array');
  return each;
}

function elementOrder(sort: Value): (left: Value, right: Value) => number {
  if (isNumber(sort)) {
    const way = toNumber(sort);
    if (way !== 1 && way !== -1) throw badValue('The $sort element value must be either 1 or -1');
    return (left, right) => way * compareValues(left, right);
  }
  const fields = parseSort(sort);
  const key = (value: Value): Buffer => sortKeyOf(isDoc(value) ? value : new Map<string, Value>(), fields);
  return (left, right) => Buffer.compare(key(left), key(right));
}

function addToSet(operand: Value): Edit {
  const added = isDoc(operand) && operand.has('$each') ? eachOf(operand) : [operand];
  return (array) => {
    const keys = new Set(array.map((value) => keyOf(value).toString('latin1')));
    const result = [...array];
    for (const value of added) {
      const key = keyOf(value).toString('latin1');
      if (!keys.has(key)) result.push(value);
      keys.add(key);
    }
    return result;
  };
}

function pop(operand: Value): Edit {
  const way = isNumber(operand) ? toNumber(operand) : 0;
  if (way !== 1 && way !== -1) throw new StoreError('FailedToParse', '$pop expects 1 or -1');
  return (array) => (way === 1 ? array.slice(0, -1) : array.slice(1));
}

function pull(operand: Value): Edit {
  const test = pullTest(operand);
  return (array) => array.filter((element) => !test(element));
}

/**
 * A document is a filter on elements that are documents; operators are conditions on the element;
 * anything else must be equal.
 */
function pullTest(operand: Value): (element: Value) => boolean {
  const first = isDoc(operand) ? [...operand.keys()][0] : undefined;
  const onValue = first?.startsWith('$') && !['$and', '$or', '$nor', '$expr'].includes(first);
  if (isDoc(operand) && !onValue) {
    const { matches } = compileFilter(operand);
    return (element) => isDoc(element) && matches(element);
  }
  if (isDoc(operand) || operand instanceof BSONRegExp) {
    const conditions = conditionsOf(operand);
    return (element) => conditions.every((condition) => valueMatches(condition, element));
  }
  return (element) => compareValues(element, operand) === 0;
}

function pullAll(operand: Value): Edit {
  if (!Array.isArray(operand)) throw badValue('$pullAll requires an array argument');
  const keys = new Set(operand.map((value) => keyOf(value).toString('latin1')));
  return (array) => array.filter((element) => !keys.has(keyOf(element).toString('latin1')));
}
