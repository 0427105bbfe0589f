import { LIMITS } from '../limits.ts';

interface Walk {
  parts: string[];
  length: number;
  /** The objects that the current one is within. */
  within: Set<object>;
}

/**
 * The result of an expression as JSON; undefined if it gave nothing. Throws a fault for what JSON
 * or a record cannot hold: functions, numbers without bounds, what contains itself, more than 100
 * levels, NUL characters, halves of surrogate pairs, more than 1 MiB.
 */
export function resultText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const walk: Walk = { parts: [], length: 0, within: new Set() };
  write(value, walk);
  const text = walk.parts.join('');
  if (Buffer.byteLength(text) > LIMITS.resultBytes) throw tooLarge();
  return text;
}

function write(value: unknown, walk: Walk): void {
  switch (typeof value) {
    case 'string':
      emit(walk, textOf(value));
      return;
    case 'number':
      if (!Number.isFinite(value)) throw fault('a number without bounds is no JSON');
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
      throw fault(`a value of type ${typeof value} is no JSON`);
  }
}

function writeObject(value: object, walk: Walk): void {
  if (walk.within.has(value)) throw fault('it contains itself');
  if (walk.within.size >= LIMITS.resultDepth)
    throw fault(`it must not nest deeper than ${LIMITS.resultDepth} levels`);
  walk.within.add(value);
  if (Array.isArray(value)) writeMembers(value, walk);
  else writeFields(value as Record<string, unknown>, walk);
  walk.within.delete(value);
}

function writeMembers(values: readonly unknown[], walk: Walk): void {
  emit(walk, '[');
  values.forEach((member, at) => {
    if (at > 0) emit(walk, ',');
    write(member === undefined ? null : member, walk);
  });
  emit(walk, ']');
}

function writeFields(value: Record<string, unknown>, walk: Walk): void {
  const { _jsonata_function: native, _jsonata_lambda: lambda } = value;
  if (native === true || lambda === true) throw fault('a function is no JSON');
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw fault('it is no plain object');
  emit(walk, '{');
  let separator = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    emit(walk, `${separator}${textOf(name)}:`);
    write(member, walk);
    separator = ',';
  }
  emit(walk, '}');
}

function textOf(text: string): string {
  if (text.length > LIMITS.resultBytes) throw tooLarge();
  if (text.includes('\0')) throw fault('texts must not contain a NUL character');
  if (LONE_SURROGATE.test(text)) throw fault('texts must be well-formed Unicode');
  return JSON.stringify(text);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

// The same object may be in many places: what is small in memory can be without end as text.
function emit(walk: Walk, part: string): void {
  walk.length += part.length;
  if (walk.length > LIMITS.resultBytes) throw tooLarge();
  walk.parts.push(part);
}

function tooLarge(): Error {
  return fault(`it must not exceed ${LIMITS.resultBytes / 1024} KiB`);
}

function fault(reason: string): Error {
  return Object.assign(new Error(`The result cannot be used: ${reason}.`), { code: 'result' });
}
