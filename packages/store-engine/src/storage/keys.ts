/** Record numbers have 48 bits: exact in a JavaScript number, six bytes in a key. */
const RECORD_BYTES = 6;

export function recordKey(collection: number, record: number): Buffer {
  const key = Buffer.allocUnsafe(4 + RECORD_BYTES);
  key.writeUInt32BE(collection);
  key.writeUIntBE(record, 4, RECORD_BYTES);
  return key;
}

/** Returns the first key after all keys of a collection or an index. */
export function endKey(id: number): Buffer {
  return prefixKey(id + 1);
}

export function prefixKey(id: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(id);
  return key;
}

export function entryKey({
  index,
  values,
  record,
}: {
  index: number;
  values: Buffer;
  record: number;
}): Buffer {
  const key = Buffer.allocUnsafe(4 + values.length + RECORD_BYTES);
  key.writeUInt32BE(index);
  values.copy(key, 4);
  key.writeUIntBE(record, 4 + values.length, RECORD_BYTES);
  return key;
}

export function readRecordNumber(key: Buffer): number {
  return key.readUIntBE(key.length - RECORD_BYTES, RECORD_BYTES);
}
