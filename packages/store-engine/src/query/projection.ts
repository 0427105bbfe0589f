import { decodeDocument, decodeFields } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, isTruthy, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { parsePath } from './path.ts';
import { walk, walkNamed } from '../bson/walk.ts';

export interface Projection {
  project: (doc: Doc) => Doc;
  projectBytes: (bytes: Buffer) => Buffer;
}

interface FieldTree {
  children: Map<string, FieldTree | true>;
}

type Slice = { name: string; slice: (doc: Doc) => Value | undefined };

interface Parsed {
  included: string[];
  excluded: string[];
  /** `$slice` does not decide between inclusion and exclusion. */
  slices: Slice[];
  id: boolean | undefined;
}

/**
 * Returns undefined when the projection keeps everything. Throws 31254 for a mix of inclusion and
 * exclusion.
 */
export function parseProjection(spec: Value | undefined): Projection | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDoc(spec)) throw new StoreError('TypeMismatch', 'the projection must be an object');
  if (spec.size === 0) return undefined;
  const parsed: Parsed = { included: [], excluded: [], slices: [], id: undefined };
  for (const [name, value] of spec) readEntry(parsed, { name, value });
  const inclusion = parsed.included.length > 0;
  const [firstExcluded] = parsed.excluded;
  if (inclusion && firstExcluded !== undefined) {
    throw new StoreError(
      'Location31254',
      `Cannot do exclusion on field ${firstExcluded} in inclusion projection`,
    );
  }
  return inclusion || (parsed.id === true && parsed.slices.length === 0)
    ? buildInclusion(parsed)
    : buildExclusion(parsed);
}

function readEntry(parsed: Parsed, { name, value }: { name: string; value: Value }): void {
  if (name === '' || name.endsWith('.') || name.startsWith('.'))
    throw badValue('a projection field must not be empty');
  if (name.endsWith('.$')) throw notSupported('the positional projection');
  if (name.startsWith('$')) throw badValue(`FieldPath field names may not start with '$': ${name}`);
  const isFlag = typeof value === 'boolean' || isNumber(value);
  if (name === '_id' && isFlag) parsed.id = isTruthy(value);
  else if (isFlag) (isTruthy(value) ? parsed.included : parsed.excluded).push(name);
  else readOperator(parsed, { name, value });
}

function readOperator(parsed: Parsed, { name, value }: { name: string; value: Value }): void {
  const [operator] = isDoc(value) ? value.keys() : [];
  if (!isDoc(value) || operator === undefined) throw notSupported('expressions in a projection');
  if (operator !== '$slice') throw notSupported(`a projection by ${operator}`);
  parsed.slices.push({ name, slice: compileSlice(name, value.get(operator) ?? null) });
}

function compileSlice(name: string, operand: Value): (doc: Doc) => Value | undefined {
  const [first, second] = (Array.isArray(operand) ? operand : [operand]).map((value) =>
    isNumber(value) ? toNumber(value) : NaN,
  );
  if (first === undefined || Number.isNaN(first) || Number.isNaN(second))
    throw badValue('$slice needs one or two numbers');
  return (doc) => {
    const array = doc.get(name);
    if (!Array.isArray(array)) return array;
    if (second === undefined) return first >= 0 ? array.slice(0, first) : array.slice(first);
    const start = first >= 0 ? first : Math.max(0, array.length + first);
    return array.slice(start, start + second);
  };
}

function buildFieldTree(names: readonly string[]): FieldTree {
  const root: FieldTree = { children: new Map() };
  for (const name of names) {
    let here = root;
    const path = parsePath(name);
    for (const [at, step] of path.entries()) {
      const known = here.children.get(step);
      const isLast = at === path.length - 1;
      if (known === true || (isLast && known))
        throw new StoreError('Location31250', `Path collision at ${name}`);
      const next: FieldTree = known ?? { children: new Map() };
      here.children.set(step, isLast ? true : next);
      here = next;
    }
  }
  return root;
}

function buildInclusion(parsed: Parsed): Projection {
  const keepsId = parsed.id !== false;
  const tree = buildFieldTree([
    ...(keepsId ? ['_id'] : []),
    ...parsed.included,
    ...parsed.slices.map(({ name }) => name),
  ]);
  const { slices } = parsed;
  const project = (doc: Doc): Doc => withSlices({ result: keepFields(doc, tree), doc, slices });
  const names = new Set(tree.children.keys());
  if (slices.length > 0)
    return { project, projectBytes: (bytes) => encodeDocument(project(decodeDocument(bytes))) };
  return isFlat(tree)
    ? { project, projectBytes: (bytes) => withFields(bytes, names) }
    : { project, projectBytes: (bytes) => encodeDocument(project(decodeFields(bytes, names))) };
}

function buildExclusion(parsed: Parsed): Projection {
  const tree = buildFieldTree([...(parsed.id === false ? ['_id'] : []), ...parsed.excluded]);
  const names = new Set(tree.children.keys());
  const { slices } = parsed;
  const project = (doc: Doc): Doc => withSlices({ result: dropFields(doc, tree), doc, slices });
  return slices.length === 0 && isFlat(tree)
    ? { project, projectBytes: (bytes) => withoutFields(bytes, names) }
    : { project, projectBytes: (bytes) => encodeDocument(project(decodeDocument(bytes))) };
}

function isFlat({ children }: FieldTree): boolean {
  return [...children.values()].every((branch) => branch === true);
}

interface Sliced {
  result: Doc;
  doc: Doc;
  slices: readonly Slice[];
}

function withSlices({ result, doc, slices }: Sliced): Doc {
  for (const { name, slice } of slices) {
    const value = slice(doc);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

function keepFields(doc: Doc, tree: FieldTree): Doc {
  const result: Doc = new Map();
  for (const [name, value] of doc) {
    const branch = tree.children.get(name);
    if (branch === undefined) continue;
    const kept = branch === true ? value : keepFieldsInside(value, branch);
    if (kept !== undefined) result.set(name, kept);
  }
  return result;
}

function keepFieldsInside(value: Value, tree: FieldTree): Value | undefined {
  if (isDoc(value)) return keepFields(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => keepFieldsInside(element, tree)).filter((element) => element !== undefined);
}

function dropFields(doc: Doc, tree: FieldTree): Doc {
  const result: Doc = new Map();
  for (const [name, value] of doc) {
    const branch = tree.children.get(name);
    if (branch === true) continue;
    result.set(name, branch === undefined ? value : dropFieldsInside(value, branch));
  }
  return result;
}

function dropFieldsInside(value: Value, tree: FieldTree): Value {
  if (isDoc(value)) return dropFields(value, tree);
  return Array.isArray(value) ? value.map((element) => dropFieldsInside(element, tree)) : value;
}

interface ByteRange {
  from: number;
  to: number;
}

/** Copies the fields in the document's own order, without decoding. */
function withFields(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  const kept: ByteRange[] = [];
  walkNamed({ bytes, names }, ({ at, end }) => kept.push({ from: at, to: end }));
  return joinRanges(bytes, kept);
}

function withoutFields(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  const kept: ByteRange[] = [];
  let from = 4;
  walk({ bytes, offset: 0 }, ({ name, at, end }) => {
    if (!names.has(name)) return true;
    if (at > from) kept.push({ from, to: at });
    from = end;
    return true;
  });
  kept.push({ from, to: bytes.length - 1 });
  return joinRanges(bytes, kept);
}

function joinRanges(bytes: Buffer, kept: readonly ByteRange[]): Buffer {
  const size = kept.reduce((sum, { from, to }) => sum + to - from, 5);
  const result = Buffer.allocUnsafe(size);
  let at = result.writeInt32LE(size);
  for (const { from, to } of kept) at += bytes.copy(result, at, from, to);
  result[at] = 0;
  return result;
}
