import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError, badValue } from '../errors.ts';
import type { Filter } from '../query/filter.ts';
import { compileFilter } from '../query/filter.ts';
import { matchesCondition } from '../query/operators.ts';
import type { Path } from '../query/path.ts';
import { parsePath } from '../query/path.ts';
import { cloneValue, setAt, valueAt } from './place.ts';

/**
 * The filters of `arrayFilters` by their identifier; each sees an element as the field of that
 * name.
 */
export type ElementTests = ReadonlyMap<string, (element: Value) => boolean>;

/** Reads `arrayFilters`; throws FailedToParse or BadValue as a real server does. */
export function parseArrayFilters(value: Value | undefined): ElementTests {
  const tests = new Map<string, (element: Value) => boolean>();
  if (value === undefined) return tests;
  if (!Array.isArray(value)) throw new StoreError('TypeMismatch', 'arrayFilters must be an array');
  for (const spec of value) {
    if (!isDoc(spec)) throw new StoreError('TypeMismatch', 'each array filter must be an object');
    const filter = compileFilter(spec);
    const [name, second] = filter.fields ?? [];
    if (name === undefined || second !== undefined) {
      throw new StoreError('FailedToParse', 'Expected a single top-level field name in each array filter');
    }
    if (tests.has(name))
      throw new StoreError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${name}`,
      );
    tests.set(name, (element) => filter.matches(new Map([[name, element]])));
  }
  return tests;
}

export interface Positions {
  elements: ElementTests;
  /** The filter that found the document, for `$`; without one (an upsert) `$` is refused. */
  filter: Filter | undefined;
}

/** The concrete paths that an update path with `$`, `$[]` and `$[id]` means in a document. */
export function concretePaths(doc: Doc, path: Path, positions: Positions): Path[] {
  if (!path.some((step) => step.startsWith('$'))) return [path];
  return expandFrom({ doc, done: [], rest: path, positions });
}

interface Expansion {
  doc: Doc;
  done: Path;
  rest: Path;
  positions: Positions;
}

function expandFrom({ doc, done, rest, positions }: Expansion): Path[] {
  const at = rest.findIndex((step) => step.startsWith('$'));
  if (at === -1) return [[...done, ...rest]];
  const arrayPath = [...done, ...rest.slice(0, at)];
  const step = rest[at] ?? '';
  const next = (index: number): Path[] =>
    expandFrom({ doc, done: [...arrayPath, String(index)], rest: rest.slice(at + 1), positions });
  if (step === '$') return next(matchedIndex({ doc, arrayPath, filter: positions.filter }));
  const array = valueAt(doc, arrayPath);
  if (!Array.isArray(array)) {
    throw badValue(
      `The path '${arrayPath.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  const test = elementTest(step, positions.elements);
  return array.flatMap((element, index) => (test(element) ? next(index) : []));
}

function elementTest(step: string, elements: ElementTests): (element: Value) => boolean {
  if (step === '$[]') return () => true;
  const name = /^\$\[([a-z][A-Za-z0-9]*)\]$/.exec(step)?.[1];
  if (name === undefined) throw badValue(`The step '${step}' is no array position`);
  const test = elements.get(name);
  if (!test) throw badValue(`No array filter found for identifier '${name}' in path`);
  return test;
}

/** The first element that makes the document fulfil the conditions that go through this array. */
function matchedIndex({
  doc,
  arrayPath,
  filter,
}: {
  doc: Doc;
  arrayPath: Path;
  filter: Filter | undefined;
}): number {
  const array = valueAt(doc, arrayPath);
  const name = arrayPath.join('.');
  if (filter && Array.isArray(array)) {
    const own = filter.conjuncts.find(({ field }) => field === name || field.startsWith(`${name}.`));
    const test = own
      ? (alone: Doc) => matchesCondition(own.condition, alone, parsePath(own.field))
      : (alone: Doc) => filter.matches(alone);
    const index = array.findIndex((element) => test(withElementAlone({ doc, arrayPath, element })));
    if (own && index !== -1) return index;
    if (index !== -1 && !filter.plain) return index;
  }
  throw badValue('The positional operator did not find the match needed from the query.');
}

function withElementAlone({ doc, arrayPath, element }: { doc: Doc; arrayPath: Path; element: Value }): Doc {
  const copy = new Map(doc);
  const root = arrayPath[0] ?? '';
  copy.set(root, cloneValue(doc.get(root) ?? null));
  setAt(copy, arrayPath, [element]);
  return copy;
}
