import { Int32, Long, Timestamp } from 'bson';
import { compareValues } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { isDoc, isNumber } from '../bson/value.ts';
import { StoreError, badValue } from '../errors.ts';
import { arrayOperator } from './arrays.ts';
import type { Arithmetic } from './numbers.ts';
import { compute } from './numbers.ts';

/** What becomes of a value at a path: undefined means that it is left as it is. */
export type Change = (current: Value | undefined) => Value | undefined;

/** Compiles one operator for one path; throws what a real server throws for a malformed operand. */
export type CompileChange = (operand: Value, path: string) => Change;

function arithmetic(name: string, operation: Arithmetic): CompileChange {
  return (operand, path) => {
    if (!isNumber(operand)) {
      throw new StoreError(
        'TypeMismatch',
        `Cannot ${name === '$inc' ? 'increment' : 'multiply'} with non-numeric argument: {${path}: …}`,
      );
    }
    return (current) => {
      if (current === undefined)
        return operation === 'add' ? operand : compute('multiply', new Int32(0), operand);
      if (!isNumber(current)) {
        throw new StoreError(
          'TypeMismatch',
          `Cannot apply ${name} to a value of non-numeric type. The field '${path}' has a non-numeric value`,
        );
      }
      return compute(operation, current, operand);
    };
  };
}

function extreme(isBetter: (order: number) => boolean): CompileChange {
  return (operand) => (current) =>
    current === undefined || isBetter(compareValues(operand, current)) ? operand : undefined;
}

function currentDate(operand: Value): Change {
  const type = isDoc(operand) ? operand.get('$type') : operand === true ? 'date' : undefined;
  if (operand === true || operand === false || type === 'date') return () => new Date();
  if (type !== 'timestamp')
    throw badValue(`The '$type' string field is required to be 'date' or 'timestamp'`);
  return () => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
}

const BIT_OPERATIONS: Record<string, (left: bigint, right: bigint) => bigint> = {
  and: (left, right) => left & right,
  or: (left, right) => left | right,
  xor: (left, right) => left ^ right,
};

function bit(operand: Value, path: string): Change {
  const steps = isDoc(operand) ? [...operand] : [];
  if (steps.length === 0)
    throw badValue(`The $bit modifier needs an object such as {and: 5} for the field ${path}`);
  for (const [name, mask] of steps) {
    if (!Object.hasOwn(BIT_OPERATIONS, name))
      throw badValue(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    if (!isWhole(mask)) throw badValue('The $bit modifier field must be an Integer(32/64 bit)');
  }
  return (current) => {
    if (current !== undefined && !isWhole(current))
      throw badValue(`Cannot apply $bit to the field ${path}: it holds no integer`);
    return steps.reduce<Value>(
      (value, [name, mask]) => applyBit({ value, name, mask }),
      current ?? new Int32(0),
    );
  };
}

function isWhole(value: Value): value is Int32 | Long {
  return value instanceof Int32 || value instanceof Long;
}

function integer(value: Value): bigint {
  return isWhole(value) ? BigInt(value.toString()) : 0n;
}

function applyBit({ value, name, mask }: { value: Value; name: string; mask: Value }): Value {
  const result = BIT_OPERATIONS[name]?.(integer(value), integer(mask)) ?? 0n;
  return value instanceof Long || mask instanceof Long
    ? Long.fromBigInt(BigInt.asIntN(64, result))
    : new Int32(Number(result));
}

/**
 * Operators that change the value at each of their paths; `$rename`, `$unset` and `$setOnInsert`
 * are the caller's.
 */
export const CHANGES: Record<string, CompileChange> = {
  $set: (operand) => () => operand,
  $inc: arithmetic('$inc', 'add'),
  $mul: arithmetic('$mul', 'multiply'),
  $min: extreme((order) => order < 0),
  $max: extreme((order) => order > 0),
  $currentDate: currentDate,
  $bit: bit,
  $push: arrayOperator('$push'),
  $addToSet: arrayOperator('$addToSet'),
  $pop: arrayOperator('$pop'),
  $pull: arrayOperator('$pull'),
  $pullAll: arrayOperator('$pullAll'),
};
