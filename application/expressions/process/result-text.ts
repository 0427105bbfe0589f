import { LIMITS } from '../protocol.ts';

interface WriteState {
  parts: string[];
  length: number;
  within: Set<object>;
  path: (string | number)[];
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns JSON, or undefined for no result. Throws a fault for a result that cannot be stored. */
export function serializeResult(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const walk: WriteState = { parts: [], length: 0, within: new Set(), path: [] };
  write(value, walk);
  const text = walk.parts.join('');
  if (Buffer.byteLength(text) > LIMITS.resultBytes) throw tooLargeError();
  return text;
}

function write(value: unknown, walk: WriteState): void {
  switch (typeof value) {
    case 'string':
      emit(walk, quoteText(value, walk));
      return;
    case 'number':
      if (!Number.isFinite(value)) throw resultError('an infinite number is not JSON', walk);
      emit(walk, JSON.stringify(value));
      return;
    case 'boolean':
      emit(walk, String(value));
      return;
    case 'object':
      if (value === null) emit(walk, 'null');
      else writeObject(value, walk);
      return;
    default:
      throw resultError(`a value of type ${typeof value} is not JSON`, walk);
  }
}

function writeObject(value: object, walk: WriteState): void {
  if (walk.within.has(value)) throw resultError('it contains itself', walk);
  if (walk.within.size >= LIMITS.resultDepth)
    throw resultError(`it must not nest deeper than ${LIMITS.resultDepth} levels`);
  walk.within.add(value);
  if (Array.isArray(value)) writeMembers(value, walk);
  else writeFields(value as Record<string, unknown>, walk);
  walk.within.delete(value);
}

function writeMembers(values: readonly unknown[], walk: WriteState): void {
  emit(walk, '[');
  values.forEach((member, at) => {
    if (at > 0) emit(walk, ',');
    writeMember(at, member === undefined ? null : member, walk);
  });
  emit(walk, ']');
}

function writeFields(value: Record<string, unknown>, walk: WriteState): void {
  const { _jsonata_function: native, _jsonata_lambda: lambda } = value;
  if (native === true || lambda === true) throw resultError('a function is not JSON', walk);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw resultError('it is not a plain object', walk);
  emit(walk, '{');
  let separator = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    emit(walk, `${separator}${quoteText(name, walk)}:`);
    writeMember(name, member, walk);
    separator = ',';
  }
  emit(walk, '}');
}

function writeMember(step: string | number, member: unknown, walk: WriteState): void {
  walk.path.push(step);
  write(member, walk);
  walk.path.pop();
}

function quoteText(text: string, walk: WriteState): string {
  if (text.length > LIMITS.resultBytes) throw tooLargeError();
  if (text.includes('\0')) throw resultError('texts must not contain a NUL character', walk);
  // Only $split by an empty text cuts surrogate pairs: the error names $split.
  if (LONE_SURROGATE.test(text)) {
    const cut = resultError(
      'texts must be well-formed Unicode, and $split by "" cuts characters in two',
      walk,
    );
    throw Object.assign(cut, { token: 'split' });
  }
  return JSON.stringify(text);
}

// A small value that occurs many times may make a huge text.
function emit(walk: WriteState, part: string): void {
  walk.length += part.length;
  if (walk.length > LIMITS.resultBytes) throw tooLargeError();
  walk.parts.push(part);
}

function tooLargeError(): Error {
  return resultError(`it must not exceed ${LIMITS.resultBytes / 1024} KiB`);
}

function resultError(reason: string, walk?: WriteState): Error {
  const path = walk?.path.join('.').slice(0, 200) ?? '';
  const at = path === '' ? '' : `, at result.${path.replace(/[\0\p{Surrogate}]/gu, '\u{FFFD}')}`;
  return Object.assign(new Error(`The result cannot be used: ${reason}${at}.`), { code: 'result' });
}
