import { StoreError } from '../errors.ts';

export function invalidBsonError(message: string): StoreError {
  return new StoreError('InvalidBSON', `Invalid BSON: ${message}`);
}

/** Searches in a loop, because `indexOf` is slower for short names. */
export function endOfCString(bytes: Buffer, offset: number): number {
  for (let at = offset; at < bytes.length; at++) if (bytes[at] === 0) return at;
  throw invalidBsonError('a name or pattern without end');
}

export function sizeOfSized(bytes: Buffer, offset: number): number {
  if (offset + 4 > bytes.length) throw invalidBsonError('a length is cut off');
  return bytes.readInt32LE(offset);
}

function sizeOfValue(bytes: Buffer, type: number, offset: number): number {
  switch (type) {
    case 0x02:
    case 0x0d:
    case 0x0e:
      return 4 + sizeOfSized(bytes, offset);
    case 0x03:
    case 0x04:
    case 0x0f:
      return sizeOfSized(bytes, offset);
    case 0x01:
    case 0x09:
    case 0x11:
    case 0x12:
      return 8;
    case 0x10:
      return 4;
    case 0x08:
      return 1;
    case 0x07:
      return 12;
    case 0x05:
      return 5 + sizeOfSized(bytes, offset);
    case 0x0a:
    case 0x7f:
    case 0xff:
      return 0;
    case 0x13:
      return 16;
    case 0x0b:
      return endOfCString(bytes, endOfCString(bytes, offset) + 1) + 1 - offset;
    default:
      throw invalidBsonError(`type 0x${type.toString(16)} is unknown or no longer in use`);
  }
}

export interface Element {
  name: string;
  type: number;
  at: number;
  start: number;
  end: number;
}

/**
 * Calls `visit` for each element until `visit` returns false. Checks the length of each visited
 * element.
 */
export function walk(source: { bytes: Buffer; offset: number }, visit: (element: Element) => boolean): void {
  const { bytes, offset } = source;
  const end = endOfDocument(bytes, offset);
  let at = offset + 4;
  while (at < end - 1) {
    const type = bytes[at] ?? 0;
    const nameEnd = endOfCString(bytes, at + 1);
    const start = nameEnd + 1;
    const next = endOfElement(bytes, { type, start, end });
    if (!visit({ name: nameAt(bytes, at + 1, nameEnd), type, at, start, end: next })) return;
    at = next;
  }
}

function endOfElement(
  bytes: Buffer,
  { type, start, end }: { type: number; start: number; end: number },
): number {
  const size = sizeOfValue(bytes, type, start);
  if (size < 0 || start + size > end - 1) throw invalidBsonError('a value reaches beyond its document');
  return start + size;
}

function endOfDocument(bytes: Buffer, offset: number): number {
  const size = sizeOfSized(bytes, offset);
  if (size < 5 || offset + size > bytes.length)
    throw invalidBsonError('a document is longer than what holds it');
  if (bytes[offset + size - 1] !== 0) throw invalidBsonError('a document without end');
  return offset + size;
}

export function walkNamed(
  { bytes, names }: { bytes: Buffer; names: ReadonlySet<string> },
  visit: (element: Element) => void,
): void {
  const marks = getNameMarks(names);
  const end = endOfDocument(bytes, 0);
  let left = names.size;
  for (let at = 4; at < end - 1 && left > 0;) {
    const type = bytes[at] ?? 0;
    const nameEnd = endOfCString(bytes, at + 1);
    const next = endOfElement(bytes, { type, start: nameEnd + 1, end });
    if (marks[computeNameMark(nameEnd - at - 1, bytes[at + 1])] === 1) {
      const name = nameAt(bytes, at + 1, nameEnd);
      if (names.has(name)) {
        visit({ name, type, at, start: nameEnd + 1, end: next });
        left--;
      }
    }
    at = next;
  }
}

function computeNameMark(length: number, first: number | undefined): number {
  return (length * 31 + (first ?? 0)) & 255;
}

const marksOfNames = new WeakMap<ReadonlySet<string>, Uint8Array>();

function getNameMarks(names: ReadonlySet<string>): Uint8Array {
  const known = marksOfNames.get(names);
  if (known) return known;
  const marks = new Uint8Array(256);
  for (const name of names) {
    const bytes = Buffer.from(name);
    marks[computeNameMark(bytes.length, bytes[0])] = 1;
  }
  marksOfNames.set(names, marks);
  return marks;
}
const SLOTS = 4096;
const MAX_CACHED_LENGTH = 48;

const cachedNames: (string | undefined)[] = new Array<string | undefined>(SLOTS);

function nameAt(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  let hash = length;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > 127) return bytes.toString('utf8', start, end);
    hash = (hash * 31 + byte) | 0;
  }
  const slot = hash & (SLOTS - 1);
  const candidate = cachedNames[slot];
  if (candidate?.length === length && isAt(candidate, bytes, start)) return candidate;
  const name = bytes.toString('latin1', start, end);
  if (length <= MAX_CACHED_LENGTH) cachedNames[slot] = name;
  return name;
}

function isAt(name: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
