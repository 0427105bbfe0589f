import { ObjectId } from 'bson';
import { compareValues } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError, notSupported } from '../errors.ts';
import type { CompiledFilter } from '../query/filter.ts';
import { type Path, parsePath } from '../query/path.ts';
import type { ValueChange } from './operators.ts';
import { CHANGES } from './operators.ts';
import {
  checkViable,
  cloneValue,
  setAt,
  unsetAt,
  valueAt,
  concretePaths,
  parseArrayFilters,
} from './place.ts';
import type { ElementTests } from './place.ts';

export interface Update {
  isReplacement: boolean;
  /**
   * The top-level fields that must be decoded before `apply`. An update with operators copies the
   * other fields undecoded. A replacement drops them.
   */
  fields: ReadonlySet<string>;
  /** `doc` stays unchanged. The result shares unchanged values. */
  apply(doc: Doc, occasion: ApplyContext): Doc;
}

export interface ApplyContext {
  inserting: boolean;
}

interface UpdateStep {
  operator: string;
  name: string;
  path: Path;
  change: ValueChange;
}

/** Throws FailedToParse (9), ConflictingUpdateOperators (40) and similar errors. */
export function parseUpdate(spec: Value | undefined, arrayFilters?: Value): Update {
  if (Array.isArray(spec)) throw notSupported('an update with an aggregation pipeline');
  if (!isDoc(spec))
    throw new StoreError('FailedToParse', 'Update argument must be either an object or an array');
  const [first] = spec.keys();
  if (!first?.startsWith('$')) return replacement(spec);
  const steps = [...spec].flatMap(([operator, operand]) => compileSteps(operator, operand));
  assertNoConflicts(steps);
  const elements = parseArrayFilters(arrayFilters);
  assertFiltersUsed(elements, steps);
  return {
    isReplacement: false,
    fields: new Set(['_id', ...steps.map(({ path }) => path[0] ?? '')]),
    apply: (doc, occasion) => applySteps({ doc, occasion, steps, elements }),
  };
}

function replacement(spec: Doc): Update {
  const operator = [...spec.keys()].find((name) => name.startsWith('$'));
  if (operator !== undefined) {
    throw new StoreError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${operator}' in '${operator}' is not allowed in the context of a replacement`,
    );
  }
  return {
    isReplacement: true,
    fields: new Set(['_id']),
    apply: (doc) => {
      const id = doc.get('_id');
      const own = spec.get('_id');
      if (own !== undefined && id !== undefined && compareValues(own, id) !== 0) throw immutableIdError();
      const kept = id ?? own;
      return new Map([
        ...(kept === undefined ? [] : [['_id', kept] as const]),
        ...[...spec].filter(([name]) => name !== '_id'),
      ]);
    },
  };
}

function immutableIdError(): StoreError {
  return new StoreError(
    'ImmutableField',
    `Performing an update on the path '_id' would modify the immutable field '_id'`,
  );
}

const SPECIAL = ['$unset', '$setOnInsert'];
const UNSUPPORTED = ['$mul', '$min', '$rename', '$currentDate', '$bit', '$addToSet', '$pop', '$pullAll'];

function compileSteps(operator: string, operand: Value): UpdateStep[] {
  if (UNSUPPORTED.includes(operator)) throw notSupported(`the update operator ${operator}`);
  if (!Object.hasOwn(CHANGES, operator) && !SPECIAL.includes(operator)) {
    throw new StoreError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(operand)) {
    throw new StoreError(
      'FailedToParse',
      `Modifiers operate on fields but we found a value of another type instead. For example: {$mod: {<field>: ...}} not {${operator}: …}`,
    );
  }
  return [...operand].map(([name, value]) => compileStep({ operator, name, value }));
}

function compileStep({
  operator,
  name,
  value,
}: {
  operator: string;
  name: string;
  value: Value;
}): UpdateStep {
  const path = parsePath(name);
  if (path.some((step) => step === ''))
    throw new StoreError(
      'EmptyFieldName',
      `The update path '${name}' contains an empty field name, which is not allowed.`,
    );
  if (path[0]?.startsWith('$')) {
    throw new StoreError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${name}' in '${name}' is not valid for storage.`,
    );
  }
  const compile =
    operator === '$unset' ? () => () => undefined : CHANGES[operator === '$setOnInsert' ? '$set' : operator];
  return { operator, name, path, change: compile?.(value, name) ?? (() => undefined) };
}

function assertNoConflicts(steps: readonly UpdateStep[]): void {
  const names = steps.map(({ name }) => name).sort();
  for (let at = 1; at < names.length; at++) {
    const [before = '', name = ''] = [names[at - 1], names[at]];
    const inside = names.some(
      (other, position) => position !== at && (name === other || name.startsWith(`${other}.`)),
    );
    if (name === before || inside) {
      throw new StoreError(
        'ConflictingUpdateOperators',
        `Updating the path '${name}' would create a conflict at '${before}'`,
      );
    }
  }
}

function assertFiltersUsed(elements: ElementTests, steps: readonly UpdateStep[]): void {
  for (const name of elements.keys()) {
    if (steps.some((step) => step.path.includes(`$[${name}]`))) continue;
    throw new StoreError(
      'FailedToParse',
      `The array filter for identifier '${name}' was not used in the update`,
    );
  }
}

interface Application {
  doc: Doc;
  occasion: ApplyContext;
  steps: readonly UpdateStep[];
  elements: ElementTests;
}

function applySteps({ doc, occasion, steps, elements }: Application): Doc {
  const result: Doc = new Map(doc);
  const copied = new Set<string>();
  const own = (path: Path): void => {
    const root = path[0] ?? '';
    const value = result.get(root);
    if (path.length > 1 && value !== undefined && !copied.has(root)) result.set(root, cloneValue(value));
    copied.add(root);
  };
  for (const step of inFieldOrder(steps)) {
    if (step.operator === '$setOnInsert' && !occasion.inserting) continue;
    own(step.path);
    // Select elements in the original document: a step must not hide elements from the next step.
    for (const path of concretePaths(doc, step.path, elements)) applyStep({ result, step, path });
  }
  const [before, after] = [doc.get('_id'), result.get('_id')];
  if (before !== undefined && before !== after && (after === undefined || compareValues(before, after) !== 0))
    throw immutableIdError();
  return result;
}

/** Sorts by the parts of the path, numeric parts by value, as MongoDB 5 and later do. */
function inFieldOrder(steps: readonly UpdateStep[]): UpdateStep[] {
  const sorted = steps.map((step) => ({ step, parts: step.name.split('.') }));
  sorted.sort((left, right) => compareParts(left.parts, right.parts));
  return sorted.map(({ step }) => step);
}

const NUMERIC = /^(?:0|[1-9]\d{0,14})$/;

function compareParts(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  const [one, other] = [left[at], right[at]];
  if (one === undefined || other === undefined) return left.length - right.length;
  if (NUMERIC.test(one) && NUMERIC.test(other)) return Number(one) - Number(other);
  return one < other ? -1 : 1;
}

function applyStep({ result, step, path }: { result: Doc; step: UpdateStep; path: Path }): void {
  if (step.operator === '$unset') {
    unsetAt(result, path);
    return;
  }
  const current = valueAt(result, path);
  const value = step.change(current);
  if (value !== undefined) setAt(result, path, value);
  else if (current === undefined) checkViable(result, path);
}

/**
 * Returns the equality conditions of an upsert's filter as a document. A replacement keeps only
 * `_id`.
 */
export function docFromFilter(filter: CompiledFilter, isReplacement: boolean): Doc {
  const doc: Doc = new Map();
  for (const { field, condition } of filter.conjuncts) {
    const { source } = condition;
    const value = source?.operator === '$eq' ? source.operand : getSingleValue(source);
    if (value === undefined || (isReplacement && field !== '_id')) continue;
    if (valueAt(doc, parsePath(field)) !== undefined) {
      throw new StoreError(
        'FailedToParse',
        `cannot infer query fields to set, path '${field}' is matched twice`,
      );
    }
    setAt(doc, parsePath(field), value);
  }
  return doc;
}

function getSingleValue(source: { operator: string; operand: Value } | undefined): Value | undefined {
  if (source?.operator !== '$in' || !Array.isArray(source.operand) || source.operand.length !== 1)
    return undefined;
  return source.operand[0];
}

export function withId(doc: Doc): Doc {
  const id = doc.get('_id') ?? new ObjectId();
  return new Map([['_id', id], ...[...doc].filter(([name]) => name !== '_id')]);
}
