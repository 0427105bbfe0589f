import { Int32 } from 'bson';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { badValue } from '../errors.ts';
import { parsePath } from '../query/path.ts';
import { cloneValue, setAt, unsetAt, valueAt } from '../update/place.ts';
import type { Stage } from './stage.ts';

const OPTIONS = ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'];

/** Compiles `$unwind`: a document for every element of an array. */
export function unwind(operand: Value): Stage {
  for (const name of isDoc(operand) ? operand.keys() : [])
    if (!OPTIONS.includes(name)) throw badValue(`unrecognized option to $unwind stage: ${name}`);
  const text = isDoc(operand) ? operand.get('path') : operand;
  if (typeof text !== 'string' || !text.startsWith('$'))
    throw badValue('$unwind needs a path that begins with $');
  const path = parsePath(text.slice(1));
  const keepsEmpty = isDoc(operand) && operand.get('preserveNullAndEmptyArrays') === true;
  const indexName = isDoc(operand) ? operand.get('includeArrayIndex') : undefined;
  return function* (input) {
    for (const doc of input) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const value = valueAt(doc, path);
      const empty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
      if (empty && !keepsEmpty) continue;
      const elements = Array.isArray(value) && !empty ? value : [undefined];
      for (const [index, element] of elements.entries()) {
        const result = withElement({ doc, path, element, empty });
        if (typeof indexName === 'string')
          result.set(indexName, Array.isArray(value) && !empty ? new Int32(index) : null);
        yield result;
      }
    }
  };
}

interface Unwound {
  doc: Doc;
  path: readonly string[];
  element: Value | undefined;
  empty: boolean;
}

function withElement({ doc, path, element, empty }: Unwound): Doc {
  const result: Doc = new Map(doc);
  if (element === undefined && !empty) return result;
  const root = path[0] ?? '';
  const value = result.get(root);
  if (value !== undefined) result.set(root, cloneValue(value));
  if (element !== undefined) setAt(result, path, element);
  else if (Array.isArray(valueAt(result, path))) unsetAt(result, path);
  return result;
}
