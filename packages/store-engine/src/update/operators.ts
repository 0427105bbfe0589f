import { compareValues } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { isNumber } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { arrayOperator } from './arrays.ts';
import { add } from './numbers.ts';

/** The new value at a path; undefined leaves the value as it is. */
export type ValueChange = (current: Value | undefined) => Value | undefined;

/** Compiles one operator for one path; throws what a real server throws for a malformed operand. */
export type CompileChange = (operand: Value, path: string) => ValueChange;

function increment(operand: Value, path: string): ValueChange {
  if (!isNumber(operand))
    throw new StoreError('TypeMismatch', `Cannot increment with non-numeric argument: {${path}: …}`);
  return (current) => {
    if (current === undefined) return operand;
    if (isNumber(current)) return add(current, operand);
    throw new StoreError(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. The field '${path}' has a non-numeric value`,
    );
  };
}

function maximum(operand: Value): ValueChange {
  return (current) => (current === undefined || compareValues(operand, current) > 0 ? operand : undefined);
}

/** Operators that change the value at each of their paths; `update.ts` does the other operators. */
export const CHANGES: Record<string, CompileChange> = {
  $set: (operand) => () => operand,
  $inc: increment,
  $max: maximum,
  $push: arrayOperator('$push'),
  $pull: arrayOperator('$pull'),
};
