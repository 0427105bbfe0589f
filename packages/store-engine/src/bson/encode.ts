import type {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  ObjectId,
  Timestamp,
} from 'bson';
import type { Raw } from './value.ts';

type Encodable = object | string | number | boolean | null | undefined;

/** All calls can share one buffer, because encoding is synchronous. */
interface Sink {
  bytes: Buffer;
  at: number;
}

const sink: Sink = { bytes: Buffer.allocUnsafe(64 * 1024), at: 0 };

function reserve(size: number): void {
  if (sink.at + size <= sink.bytes.length) return;
  const bigger = Buffer.allocUnsafe(Math.max(sink.bytes.length * 2, sink.at + size));
  sink.bytes.copy(bigger, 0, 0, sink.at);
  sink.bytes = bigger;
}

/**
 * Encodes a `Map` of BSON values or a plain object of a reply. A nested `Buffer` is copied as an
 * encoded document.
 */
export function encodeDocument(doc: object): Buffer {
  return encodeBehind(0, doc);
}

export function encodeBehind(room: number, doc: object): Buffer {
  sink.at = room;
  writeDocument(doc);
  return Buffer.from(sink.bytes.subarray(0, sink.at));
}

function writeDocument(doc: object): void {
  const start = sink.at;
  reserve(5);
  sink.at += 4;
  const entries = doc instanceof Map ? (doc as Map<string, Encodable>) : Object.entries(doc);
  for (const [name, value] of entries) {
    if (value !== undefined) writeElement(name, value as Encodable);
  }
  finish(start);
}

function writeArray(values: readonly Encodable[]): void {
  const start = sink.at;
  reserve(5);
  sink.at += 4;
  for (let at = 0; at < values.length; at++) writeElement(String(at), values[at] ?? null);
  finish(start);
}

function finish(start: number): void {
  reserve(1);
  sink.bytes[sink.at++] = 0;
  sink.bytes.writeInt32LE(sink.at - start, start);
}

function writeElement(name: string, value: Encodable): void {
  const typeAt = sink.at;
  reserve(1);
  sink.at++;
  writeCString(name);
  const type = writeValue(value);
  sink.bytes[typeAt] = type;
}

function writeCString(text: string): void {
  writeText(text);
  sink.bytes[sink.at++] = 0;
}

function writeString(text: string): void {
  const start = sink.at;
  reserve(5);
  sink.at += 4;
  writeText(text);
  sink.bytes[sink.at++] = 0;
  sink.bytes.writeInt32LE(sink.at - start - 4, start);
}

const SHORT = 32;

/** Copies short ASCII text, such as names, in a loop, which is faster than `write`. */
function writeText(text: string): void {
  reserve(text.length * 3 + 1);
  const { bytes, at } = sink;
  if (text.length > SHORT) {
    sink.at += bytes.write(text, at);
    return;
  }
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) {
      sink.at = at + bytes.write(text, at);
      return;
    }
    bytes[at + index] = code;
  }
  sink.at = at + text.length;
}

function writeValue(value: Encodable): number {
  if (value === null || value === undefined) return 0x0a;
  if (typeof value === 'string') return (writeString(value), 0x02);
  if (typeof value === 'boolean') return (writeByte(value ? 1 : 0), 0x08);
  if (typeof value === 'number')
    return Number.isInteger(value) && value === (value | 0) ? writeInt(value) : writeFloat(value);
  if (value instanceof Map) return (writeDocument(value), 0x03);
  if (Array.isArray(value)) return (writeArray(value as Encodable[]), 0x04);
  if (value instanceof Date) return writeDate(value);
  if (Buffer.isBuffer(value)) return (writeBytes(value), 0x03);
  if ('_bsontype' in value) return writeBsonValue(value as TypedValue);
  return (writeDocument(value), 0x03);
}

type TypedValue =
  | Int32
  | Double
  | Long
  | Decimal128
  | ObjectId
  | Binary
  | BSONRegExp
  | BSONSymbol
  | Code
  | Timestamp
  | Raw
  | { _bsontype: 'MinKey' }
  | { _bsontype: 'MaxKey' };

function writeBsonValue(value: TypedValue): number {
  switch (value._bsontype) {
    case 'Int32':
      return writeInt(value.value);
    case 'Double':
      return writeFloat(value.value);
    case 'ObjectId':
      return (writeBytes(value.id), 0x07);
    case 'Long':
      return (writePair(value.low, value.high), 0x12);
    case 'Timestamp':
      return (writePair(value.i, value.t), 0x11);
    case 'Decimal128':
      return (writeBytes(value.bytes), 0x13);
    case 'Binary':
      return writeBinary(value);
    case 'BSONRegExp':
      writeCString(value.pattern);
      writeCString(value.options);
      return 0x0b;
    case 'BSONSymbol':
      return (writeString(value.value), 0x0e);
    case 'Code':
      return writeCode(value);
    case 'Raw':
      return (writeBytes(value.bytes), value.type);
    case 'MinKey':
      return 0xff;
    case 'MaxKey':
      return 0x7f;
  }
}

function writeByte(byte: number): void {
  reserve(1);
  sink.bytes[sink.at++] = byte;
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  sink.bytes.set(bytes, sink.at);
  sink.at += bytes.length;
}

function writePair(low: number, high: number): void {
  reserve(8);
  sink.bytes.writeInt32LE(low | 0, sink.at);
  sink.bytes.writeInt32LE(high | 0, sink.at + 4);
  sink.at += 8;
}

function writeInt(value: number): number {
  reserve(4);
  sink.at = sink.bytes.writeInt32LE(value, sink.at);
  return 0x10;
}

function writeFloat(value: number): number {
  reserve(8);
  sink.at = sink.bytes.writeDoubleLE(value, sink.at);
  return 0x01;
}

function writeDate(value: Date): number {
  const time = value.getTime();
  writePair(time % 0x1_0000_0000, Math.floor(time / 0x1_0000_0000));
  return 0x09;
}

function writeBinary(value: Binary): number {
  const bytes = value.buffer.subarray(0, value.position);
  reserve(5);
  sink.at = sink.bytes.writeInt32LE(bytes.length, sink.at);
  sink.bytes[sink.at++] = value.sub_type;
  writeBytes(bytes);
  return 0x05;
}

function writeCode(value: Code): number {
  if (!value.scope) return (writeString(value.code), 0x0d);
  const start = sink.at;
  reserve(4);
  sink.at += 4;
  writeString(value.code);
  writeDocument(value.scope);
  sink.bytes.writeInt32LE(sink.at - start, start);
  return 0x0f;
}
