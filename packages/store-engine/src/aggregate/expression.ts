import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isTruthy } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { parsePath } from '../query/path.ts';
import { STRICT, array, isNothing } from './expression-operators.ts';

export interface Scope {
  root: Doc;
  current: Value;
  variables?: ReadonlyMap<string, Value>;
}

/** An expression's value for a document; undefined is MongoDB's "missing". */
export type Expression = (scope: Scope) => Value | undefined;

/**
 * Compiles an aggregation expression; an operator that the engine does not have is refused (238).
 */
export function compileExpression(spec: Value): Expression {
  if (typeof spec === 'string' && spec.startsWith('$')) return compilePath(spec);
  if (Array.isArray(spec)) {
    const items = spec.map(compileExpression);
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const [first] = spec.keys();
  if (first?.startsWith('$')) return compileCall(first, spec);
  const fields = [...spec].map(([name, value]) => [name, compileExpression(value)] as const);
  return (scope) => new Map(fields.flatMap(([name, value]) => withValue(name, value(scope))));
}

function withValue(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}

function compilePath(text: string): Expression {
  const [head = '', ...rest] = parsePath(text.slice(text.startsWith('$$') ? 2 : 1));
  if (!text.startsWith('$$')) return (scope) => readPath(scope.current, [head, ...rest]);
  if (head === 'ROOT') return (scope) => readPath(scope.root, rest);
  if (head === 'CURRENT') return (scope) => readPath(scope.current, rest);
  if (head === 'NOW') {
    const now = new Date();
    return () => now;
  }
  if (head === 'REMOVE') return () => undefined;
  return (scope) => {
    const value = scope.variables?.get(head);
    if (value === undefined && !scope.variables?.has(head))
      throw badValue(`Use of undefined variable: ${head}`);
    return readPath(value, rest);
  };
}

/** A path in an expression goes through arrays by collecting the values of their elements. */
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

const LAZY: Record<string, (operand: Value) => Expression> = {
  $literal: (operand) => () => operand,
  $cond: compileCond,
  $switch: compileSwitch,
  $let: compileLet,
  $map: (operand) =>
    compileEach(operand, 'in', (list, evaluate) => list.map((element) => evaluate(element) ?? null)),
  $filter: (operand) =>
    compileEach(operand, 'cond', (list, evaluate) => list.filter((element) => isTruthy(evaluate(element)))),
  $dateToString: () => {
    throw notSupported('$dateToString');
  },
};

function compileCall(operator: string, spec: Doc): Expression {
  if (spec.size !== 1)
    throw new StoreError('BadValue', 'an object representing an expression must have exactly one field');
  const operand = spec.get(operator) ?? null;
  if (Object.hasOwn(LAZY, operator)) return LAZY[operator]?.(operand) ?? (() => null);
  const apply = Object.hasOwn(STRICT, operator) ? STRICT[operator] : undefined;
  if (!apply) throw notSupported(`the aggregation operator ${operator}`);
  const items = (Array.isArray(operand) ? operand : [operand]).map(compileExpression);
  return (scope) => apply(items.map((item) => item(scope)));
}

function part(operand: Value, name: string): Expression {
  const value = isDoc(operand) ? operand.get(name) : undefined;
  if (value === undefined) throw badValue(`Missing '${name}' parameter to an expression`);
  return compileExpression(value);
}

function compileCond(operand: Value): Expression {
  const [condition, then, otherwise] = Array.isArray(operand)
    ? operand.map(compileExpression)
    : [part(operand, 'if'), part(operand, 'then'), part(operand, 'else')];
  if (!condition || !then || !otherwise) throw badValue('Expression $cond takes exactly 3 arguments');
  return (scope) => (isTruthy(condition(scope)) ? then(scope) : otherwise(scope));
}

function compileSwitch(operand: Value): Expression {
  const branches = isDoc(operand) ? operand.get('branches') : undefined;
  if (!Array.isArray(branches)) throw badValue(`$switch expected an array for 'branches'`);
  const cases = branches.map((branch) => ({ condition: part(branch, 'case'), then: part(branch, 'then') }));
  const otherwise = isDoc(operand) && operand.has('default') ? part(operand, 'default') : undefined;
  return (scope) => {
    const found = cases.find(({ condition }) => isTruthy(condition(scope)));
    if (!found && !otherwise)
      throw badValue('$switch could not find a matching branch for an input, and no default was specified.');
    return found ? found.then(scope) : otherwise?.(scope);
  };
}

function compileLet(operand: Value): Expression {
  const variables = isDoc(operand) ? operand.get('vars') : undefined;
  const definitions = [...(isDoc(variables) ? variables : [])].map(
    ([name, value]) => [name, compileExpression(value)] as const,
  );
  const body = part(operand, 'in');
  return (scope) => {
    const values = new Map([
      ...(scope.variables ?? []),
      ...definitions.map(([name, value]) => [name, value(scope) ?? null] as const),
    ]);
    return body({ ...scope, variables: values });
  };
}

type Visit = (list: Value[], evaluate: (element: Value) => Value | undefined) => Value;

function compileEach(operand: Value, body: string, visit: Visit): Expression {
  const input = part(operand, 'input');
  const as = isDoc(operand) ? operand.get('as') : undefined;
  const name = typeof as === 'string' ? as : 'this';
  const inner = part(operand, body);
  return (scope) => {
    const list = input(scope);
    if (isNothing(list)) return null;
    return visit(array(list, 'the operator'), (element) =>
      inner({ ...scope, variables: new Map([...(scope.variables ?? []), [name, element]]) }),
    );
  };
}
