import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import type { Path } from '../query/path.ts';
import { isIndex } from '../query/path.ts';

const MAX_PADDING = 1_500_000;

/** A deep copy of a value, so that what was stored stays comparable with what it becomes. */
export function cloneValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(cloneValue);
  if (isDoc(value)) return new Map([...value].map(([name, inner]) => [name, cloneValue(inner)]));
  return value;
}

/** The value at a path whose steps are all concrete, or undefined. */
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
 * Sets the value at a path, making the documents on the way; throws PathNotViable (28) when
 * something else is in the way.
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

/** Removes the field at a path; an element of an array becomes null, as `$unset` does. */
export function unsetAt(doc: Doc, path: Path): void {
  const parent = valueAt(doc, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (isDoc(parent)) parent.delete(last);
  else if (Array.isArray(parent) && isIndex(last) && Number(last) < parent.length)
    parent[Number(last)] = null;
}
