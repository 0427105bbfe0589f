import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';

export type Path = readonly string[];

const parsed = new Map<string, Path>();

export function parsePath(text: string): Path {
  const known = parsed.get(text);
  if (known) return known;
  const path = text.split('.');
  if (parsed.size < 10_000) parsed.set(text, path);
  return path;
}

export function isIndex(step: string): boolean {
  return /^(0|[1-9]\d*)$/.test(step);
}

/**
 * Returns whether `test` accepts a value at the path. In an array, the path continues in each
 * element that is a document and, if the step is a number, also in the element with that index.
 * `test` gets `undefined` for a missing field or a path below a scalar.
 */
export function someAtPath(
  doc: Doc,
  search: { path: Path; test: (value: Value | undefined) => boolean },
): boolean {
  return someFrom(doc, 0, search);
}

type PathSearch = { path: Path; test: (value: Value | undefined) => boolean };

function someFrom(value: Value | undefined, depth: number, search: PathSearch): boolean {
  const { path, test } = search;
  if (depth === path.length) return test(value);
  if (isDoc(value)) return someFrom(value.get(path[depth] ?? ''), depth + 1, search);
  if (!Array.isArray(value)) return test(undefined);
  const step = path[depth] ?? '';
  if (isIndex(step) && Number(step) < value.length && someFrom(value[Number(step)], depth + 1, search))
    return true;
  return value.some((element) => isDoc(element) && someFrom(element, depth, search));
}
