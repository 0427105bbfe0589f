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
import type { Doc, Value } from './value.ts';
import { endOfCString, invalidBsonError, sizeOfSized, walk, walkNamed } from './walk.ts';
import type { Element } from './walk.ts';

export const MAX_DEPTH = 180;

/** Throws InvalidBSON for malformed bytes, and Overflow beyond MAX_DEPTH levels. */
export function decodeDocument(bytes: Buffer, offset = 0): Doc {
  return decodeMap({ bytes, offset, depth: 0 });
}

export function decodeFields(bytes: Buffer, names: ReadonlySet<string>): Doc {
  const doc: Doc = new Map();
  walkNamed({ bytes, names }, (element) => doc.set(element.name, decodeValue(bytes, element, 0)));
  return doc;
}

/** Decodes the named top-level fields and keeps the others as raw bytes. */
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

interface DecodePosition {
  bytes: Buffer;
  offset: number;
  depth: number;
}

function decodeMap({ bytes, offset, depth }: DecodePosition): Doc {
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `Document exceeds ${MAX_DEPTH} levels of nesting`);
  const doc: Doc = new Map();
  walk({ bytes, offset }, (element) => {
    doc.set(element.name, decodeValue(bytes, element, depth));
    return true;
  });
  return doc;
}

function decodeArray(place: DecodePosition): Value[] {
  const { bytes, offset, depth } = place;
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `Document exceeds ${MAX_DEPTH} levels of nesting`);
  const values: Value[] = [];
  walk({ bytes, offset }, (element) => {
    values.push(decodeValue(bytes, element, depth));
    return true;
  });
  return values;
}

export function decodeValue(bytes: Buffer, element: Element, depth: number): Value {
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

function decodeString(bytes: Buffer, start: number, end: number): string {
  if (end - start < 5 || bytes[end - 1] !== 0) throw invalidBsonError('a string without end');
  return bytes.toString('utf8', start + 4, end - 1);
}

function decodeDate(bytes: Buffer, start: number): Date {
  const date = new Date(bytes.readInt32LE(start + 4) * 0x1_0000_0000 + bytes.readUInt32LE(start));
  if (Number.isNaN(date.getTime())) throw invalidBsonError('a date outside the years that JavaScript knows');
  return date;
}

function decodeRareValue(bytes: Buffer, element: Element, depth: number): Value {
  const { type, start, end } = element;
  switch (type) {
    case 0x05:
      return new Binary(Buffer.from(bytes.subarray(start + 5, end)), bytes[start + 4]);
    case 0x0b: {
      const patternEnd = endOfCString(bytes, start);
      return buildRegex(
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
      throw invalidBsonError(`type 0x${type.toString(16)} is unknown or no longer in use`);
  }
}

function decodeCodeWithScope({ bytes, offset, depth }: DecodePosition): Code {
  const size = sizeOfSized(bytes, offset + 4);
  if (size < 1 || offset + 8 + size > bytes.length) throw invalidBsonError('a code without end');
  const scope = decodeMap({ bytes, offset: offset + 8 + size, depth: depth + 1 });
  return new Code(bytes.toString('utf8', offset + 8, offset + 7 + size), scope);
}

function buildRegex(pattern: string, options: string): BSONRegExp {
  try {
    return new BSONRegExp(pattern, options);
  } catch (error) {
    throw invalidBsonError(error instanceof Error ? error.message : 'a regular expression');
  }
}
