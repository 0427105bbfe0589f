import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { StoreError } from '../errors.ts';
import { nameAt } from './names.ts';
import type { Doc, Value } from './value.ts';

/** MongoDB's limit of nesting; a deeper document is refused rather than risked. */
export const MAX_DEPTH = 180;

/** The refusal (22) of bytes that are no BSON. */
export function invalid(message: string): StoreError {
  return new StoreError('InvalidBSON', `Invalid BSON: ${message}`);
}

/** Names are short: a loop is faster than a call of `indexOf`. */
function endOfCString(bytes: Buffer, offset: number): number {
  for (let at = offset; at < bytes.length; at++) if (bytes[at] === 0) return at;
  throw invalid('a name or pattern without end');
}

function sizeOfSized(bytes: Buffer, offset: number): number {
  if (offset + 4 > bytes.length) throw invalid('a length is cut off');
  return bytes.readInt32LE(offset);
}

/** The number of bytes of the value of `type` at `offset`; throws InvalidBSON where it would leave the buffer. */
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
      throw invalid(`type 0x${type.toString(16)} is unknown or no longer in use`);
  }
}

/** One element of a raw document: its name, its type and where its value begins and ends. */
export interface Element {
  name: string;
  type: number;
  /** Where the element begins: its type, then its name. */
  at: number;
  start: number;
  end: number;
}

/** Calls `visit` for the elements of the raw document at `offset`, in order, until it answers false. Checks every length it passes. */
export function walk(source: { bytes: Buffer; offset: number }, visit: (element: Element) => boolean): void {
  const { bytes, offset } = source;
  const end = endOfDocument(bytes, offset);
  let at = offset + 4;
  while (at < end - 1) {
    const type = bytes[at] ?? 0;
    const nameEnd = endOfCString(bytes, at + 1);
    const start = nameEnd + 1;
    const size = sizeOfValue(bytes, type, start);
    if (size < 0 || start + size > end - 1) throw invalid('a value reaches beyond its document');
    if (!visit({ name: nameAt(bytes, at + 1, nameEnd), type, at, start, end: start + size })) return;
    at = start + size;
  }
}

function endOfDocument(bytes: Buffer, offset: number): number {
  const size = sizeOfSized(bytes, offset);
  if (size < 5 || offset + size > bytes.length) throw invalid('a document is longer than what holds it');
  if (bytes[offset + size - 1] !== 0) throw invalid('a document without end');
  return offset + size;
}

/** Decodes the whole document at `offset`; throws InvalidBSON for anything malformed, at any depth. */
export function decodeDocument(bytes: Buffer, offset = 0): Doc {
  return decodeMap({ bytes, offset, depth: 0 });
}

/** Decodes only the named top-level fields, skipping over the others. */
export function decodeFields(bytes: Buffer, names: ReadonlySet<string>): Doc {
  const doc: Doc = new Map();
  let left = names.size;
  walk({ bytes, offset: 0 }, (element) => {
    if (!names.has(element.name)) return true;
    doc.set(element.name, decodeValue(bytes, element, 0));
    return --left > 0;
  });
  return doc;
}

/** Decodes the named top-level fields and leaves the others as they are: for a document that is changed in a few places. */
export function decodePartly(bytes: Buffer, names: ReadonlySet<string>): Doc {
  const doc: Doc = new Map();
  walk({ bytes, offset: 0 }, (element) => {
    const { name, type, start, end } = element;
    const value: Value = names.has(name)
      ? decodeValue(bytes, element, 0)
      : { _bsontype: 'Raw', type, bytes: bytes.subarray(start, end) };
    doc.set(name, value);
    return true;
  });
  return doc;
}

interface Place {
  bytes: Buffer;
  offset: number;
  depth: number;
}

function decodeMap({ bytes, offset, depth }: Place): Doc {
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `Document exceeds ${MAX_DEPTH} levels of nesting`);
  const doc: Doc = new Map();
  walk({ bytes, offset }, (element) => {
    doc.set(element.name, decodeValue(bytes, element, depth));
    return true;
  });
  return doc;
}

function decodeArray(place: Place): Value[] {
  const { bytes, offset, depth } = place;
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `Document exceeds ${MAX_DEPTH} levels of nesting`);
  const values: Value[] = [];
  walk({ bytes, offset }, (element) => {
    values.push(decodeValue(bytes, element, depth));
    return true;
  });
  return values;
}

/** Decodes the value of one element that `walk` has found. */
export function decodeValue(...[bytes, element, depth]: [Buffer, Element, number]): Value {
  const { type, start, end } = element;
  switch (type) {
    case 0x01:
      return new Double(bytes.readDoubleLE(start));
    case 0x02:
      return decodeString(bytes, start, end);
    case 0x03:
      return decodeMap({ bytes, offset: start, depth: depth + 1 });
    case 0x04:
      return decodeArray({ bytes, offset: start, depth: depth + 1 });
    case 0x07:
      return new ObjectId(Buffer.from(bytes.subarray(start, end)));
    case 0x08:
      return bytes[start] === 1;
    case 0x09:
      return decodeDate(bytes, start);
    case 0x0a:
      return null;
    case 0x10:
      return new Int32(bytes.readInt32LE(start));
    case 0x12:
      return new Long(bytes.readInt32LE(start), bytes.readInt32LE(start + 4));
    default:
      return decodeRareValue(bytes, element, depth);
  }
}

function decodeString(...[bytes, start, end]: [Buffer, number, number]): string {
  if (end - start < 5 || bytes[end - 1] !== 0) throw invalid('a string without end');
  return bytes.toString('utf8', start + 4, end - 1);
}

function decodeDate(bytes: Buffer, start: number): Date {
  const date = new Date(bytes.readInt32LE(start + 4) * 0x1_0000_0000 + bytes.readUInt32LE(start));
  if (Number.isNaN(date.getTime())) throw invalid('a date outside the years that JavaScript knows');
  return date;
}

function decodeRareValue(...[bytes, element, depth]: [Buffer, Element, number]): Value {
  const { type, start, end } = element;
  switch (type) {
    case 0x05:
      return new Binary(Buffer.from(bytes.subarray(start + 5, end)), bytes[start + 4]);
    case 0x0b: {
      const patternEnd = endOfCString(bytes, start);
      return regexOf(
        bytes.toString('utf8', start, patternEnd),
        bytes.toString('utf8', patternEnd + 1, end - 1),
      );
    }
    case 0x0d:
      return new Code(decodeString(bytes, start, end));
    case 0x0e:
      return new BSONSymbol(decodeString(bytes, start, end));
    case 0x0f:
      return decodeCodeWithScope({ bytes, offset: start, depth });
    case 0x11:
      return new Timestamp({ t: bytes.readUInt32LE(start + 4), i: bytes.readUInt32LE(start) });
    case 0x13:
      return new Decimal128(Buffer.from(bytes.subarray(start, end)));
    case 0x7f:
      return new MaxKey();
    case 0xff:
      return new MinKey();
    default:
      throw invalid(`type 0x${type.toString(16)} is unknown or no longer in use`);
  }
}

function decodeCodeWithScope({ bytes, offset, depth }: Place): Code {
  const size = sizeOfSized(bytes, offset + 4);
  if (size < 1 || offset + 8 + size > bytes.length) throw invalid('a code without end');
  const scope = decodeMap({ bytes, offset: offset + 8 + size, depth: depth + 1 });
  return new Code(bytes.toString('utf8', offset + 8, offset + 7 + size), scope);
}

function regexOf(pattern: string, options: string): BSONRegExp {
  try {
    return new BSONRegExp(pattern, options);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'a regular expression');
  }
}
