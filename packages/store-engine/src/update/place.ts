import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import type { Path } from '../query/path.ts';
import { isIndex } from '../query/path.ts';
import { compileFilter } from '../query/filter.ts';

const MAX_PADDING = 1_500_000;

export function cloneValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(cloneValue);
  if (isDoc(value)) return new Map([...value].map(([name, inner]) => [name, cloneValue(inner)]));
  return value;
}

export function valueAt(doc: Value | undefined, path: Path): Value | undefined {
  let here: Value | undefined = doc;
  for (const step of path) {
    if (isDoc(here)) here = here.get(step);
    else if (Array.isArray(here) && isIndex(step)) here = here[Number(step)];
    else return undefined;
  }
  return here;
}

/**
 * Creates missing documents on the way. Throws PathNotViable (28) when another value blocks the
 * path.
 */
export function setAt(doc: Doc, path: Path, value: Value): void {
  const parent = containerAt(doc, path);
  const last = path.at(-1) ?? '';
  if (isDoc(parent)) parent.set(last, value);
  else setElement(parent, last, value);
}

function containerAt(doc: Doc, path: Path): Doc | Value[] {
  let here: Doc | Value[] = doc;
  for (let at = 0; at < path.length - 1; at++) {
    const step = path[at] ?? '';
    const existing: Value | undefined = valueAt(here, [step]);
    if (isDoc(existing) || Array.isArray(existing)) {
      here = existing;
    } else if (existing === undefined) {
      const made: Doc = new Map();
      if (isDoc(here)) here.set(step, made);
      else setElement(here, step, made);
      here = made;
    } else {
      throw pathNotViableError(path[at + 1] ?? '', step);
    }
  }
  return here;
}

function pathNotViableError(name: string, step: string): StoreError {
  return new StoreError('PathNotViable', `Cannot create field '${name}' in element {${step}: …}`);
}

function setElement(array: Value[], step: string, value: Value): void {
  if (!isIndex(step)) throw pathNotViableError(step, 'array');
  const at = Number(step);
  if (at - array.length > MAX_PADDING)
    throw new StoreError('BadValue', 'the array would have to be filled with too many nulls');
  while (array.length < at) array.push(null);
  array[at] = value;
}

/** Throws PathNotViable (28) where `setAt` would. */
export function checkViable(doc: Doc, path: Path): void {
  path.forEach((step, at) => {
    const parent = valueAt(doc, path.slice(0, at));
    if (parent === undefined || isDoc(parent) || (Array.isArray(parent) && isIndex(step))) return;
    throw pathNotViableError(step, path[at - 1] ?? '');
  });
}

/** Removes a field, or sets an array element to null, as MongoDB's `$unset` does. */
export function unsetAt(doc: Doc, path: Path): void {
  const parent = valueAt(doc, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (isDoc(parent)) parent.delete(last);
  else if (Array.isArray(parent) && isIndex(last) && Number(last) < parent.length)
    parent[Number(last)] = null;
}

export type ElementTests = ReadonlyMap<string, (element: Value) => boolean>;

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

/** Replaces `$[]` and `$[id]` with the positions of the selected elements. */
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
  if (name === undefined) throw badValue(`The step '${step}' is not an array position`);
  const test = elements.get(name);
  if (!test) throw badValue(`No array filter found for identifier '${name}' in path`);
  return test;
}
