import { BSONRegExp } from 'bson';
import { compareValues } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { badValue, notSupported } from '../errors.ts';
import { compileFilter, compileConditions } from '../query/filter.ts';
import { valueMatches } from '../query/operators.ts';

type ValueChange = (current: Value | undefined) => Value | undefined;
type Edit = (array: Value[]) => Value[];

type ArrayOperator = '$push' | '$pull';

const EDITS: Record<ArrayOperator, (operand: Value) => Edit> = { $push: push, $pull: pull };

export function arrayOperator(name: ArrayOperator): (operand: Value, path: string) => ValueChange {
  return (operand, path) => {
    const edit = EDITS[name](operand);
    return (current) => {
      if (current === undefined) return name === '$push' ? edit([]) : undefined;
      if (Array.isArray(current)) return edit(current);
      throw badValue(`The field '${path}' must be an array to apply ${name}`);
    };
  };
}

const PUSH_MODIFIERS = ['$each', '$slice'];
const UNSUPPORTED_MODIFIERS = ['$position', '$sort'];

function push(operand: Value): Edit {
  if (!isDoc(operand) || !operand.has('$each')) return (array) => [...array, operand];
  const unknown = [...operand.keys()].find((name) => !PUSH_MODIFIERS.includes(name));
  if (unknown !== undefined && UNSUPPORTED_MODIFIERS.includes(unknown))
    throw notSupported(`${unknown} of $push`);
  if (unknown !== undefined) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  const added = operand.get('$each');
  if (!Array.isArray(added)) throw badValue('The argument to $each must be an array');
  const slice = operand.get('$slice');
  const count = slice === undefined ? undefined : wholeNumber(slice, '$slice');
  return (array) => {
    const grown = [...array, ...added];
    if (count === undefined) return grown;
    return count >= 0 ? grown.slice(0, count) : grown.slice(count);
  };
}

function wholeNumber(value: Value, name: string): number {
  if (isNumber(value) && Number.isInteger(toNumber(value))) return toNumber(value);
  throw badValue(`The value for ${name} must be an integer value`);
}

function pull(operand: Value): Edit {
  const test = pullTest(operand);
  return (array) => array.filter((element) => !test(element));
}

/**
 * Compiles the operand of `$pull`: a document filters elements that are documents, operators and
 * regular expressions are conditions on the element, and any other value must be equal.
 */
function pullTest(operand: Value): (element: Value) => boolean {
  const first = isDoc(operand) ? [...operand.keys()][0] : undefined;
  const onValue = first?.startsWith('$') && !['$and', '$or'].includes(first);
  if (isDoc(operand) && !onValue) {
    const { matches } = compileFilter(operand);
    return (element) => isDoc(element) && matches(element);
  }
  if (isDoc(operand) || operand instanceof BSONRegExp) {
    const conditions = compileConditions(operand);
    return (element) => conditions.every((condition) => valueMatches(condition, element));
  }
  return (element) => compareValues(element, operand) === 0;
}
