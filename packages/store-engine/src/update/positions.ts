import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { Path } from '../query/path.ts';
import { valueAt } from './place.ts';

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
    const [name, second] = filter.fields;
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

/** The concrete paths that an update path with `$[]` and `$[id]` means in a document. */
export function concretePaths(doc: Doc, path: Path, elements: ElementTests): Path[] {
  if (!path.some((step) => step.startsWith('$'))) return [path];
  return expandFrom({ doc, done: [], rest: path, elements });
}

interface Expansion {
  doc: Doc;
  done: Path;
  rest: Path;
  elements: ElementTests;
}

function expandFrom({ doc, done, rest, elements }: Expansion): Path[] {
  const at = rest.findIndex((step) => step.startsWith('$'));
  if (at === -1) return [[...done, ...rest]];
  const arrayPath = [...done, ...rest.slice(0, at)];
  const step = rest[at] ?? '';
  const next = (index: number): Path[] =>
    expandFrom({ doc, done: [...arrayPath, String(index)], rest: rest.slice(at + 1), elements });
  if (step === '$') throw notSupported('the positional operator $');
  const array = valueAt(doc, arrayPath);
  if (!Array.isArray(array)) {
    throw badValue(
      `The path '${arrayPath.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  const test = elementTest(step, elements);
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
