import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { notSupported } from '../errors.ts';
import { parsePath } from '../query/path.ts';

/** An expression's value for a document; undefined is MongoDB's "missing". */
export type Expression = (doc: Doc) => Value | undefined;

/**
 * Compiles an aggregation expression: a path of fields or a constant. Throws NotImplemented (238)
 * for operators, variables, and expressions in documents or arrays.
 */
export function compileExpression(spec: Value): Expression {
  if (typeof spec === 'string' && spec.startsWith('$$')) throw notSupported(`the variable ${spec}`);
  if (typeof spec === 'string' && spec.startsWith('$')) {
    const path = parsePath(spec.slice(1));
    return (doc) => readPath(doc, path);
  }
  if (!isDoc(spec) && !Array.isArray(spec)) return () => spec;
  const [first] = isDoc(spec) ? spec.keys() : [];
  throw notSupported(
    first?.startsWith('$')
      ? `the aggregation operator ${first}`
      : 'aggregation expressions in documents or arrays',
  );
}

/** Reads a path. At an array it collects the values of the array's elements. */
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
