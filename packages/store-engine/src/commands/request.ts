import { decodeValue } from '../bson/decode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, isTruthy, toStringOrEmpty, toNumber } from '../bson/value.ts';
import { walk } from '../bson/walk.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import type { Cursors } from './cursors.ts';
import type { Storage } from '../storage/storage.ts';

export interface Store extends Storage {
  cursors: Cursors;
  building: Promise<unknown>;
  startedAt: Date;
}

export interface CommandRequest {
  name: string;
  database: string;
  body: Doc;
  /** Documents of `insert` and of document sequences, still encoded. */
  sequences: ReadonlyMap<string, Buffer[]>;
  connection: number;
}

export type CommandReply = Record<string, unknown>;
export type CommandHandler = (store: Store, request: CommandRequest) => CommandReply | Promise<CommandReply>;

const GENERIC = new Set([
  'lsid',
  '$db',
  '$readPreference',
  '$clusterTime',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'txnNumber',
  'autocommit',
  'startTransaction',
]);

const IGNORED_FIELDS = new Set(['lsid', '$clusterTime']);

/** Leaves the documents of an `insert` encoded, because most are stored unchanged. */
export function readBody(bytes: Buffer): { body: Doc; documents: Buffer[] | undefined } {
  const body: Doc = new Map();
  let documents: Buffer[] | undefined;
  walk({ bytes, offset: 0 }, (element) => {
    if (element.name === 'documents' && element.type === 0x04 && body.has('insert')) {
      documents = splitDocuments(bytes, element.start);
    } else if (IGNORED_FIELDS.has(element.name)) {
      body.set(element.name, null);
    } else {
      body.set(element.name, decodeValue(bytes, element, 1));
    }
    return true;
  });
  return { body, documents };
}

function splitDocuments(bytes: Buffer, offset: number): Buffer[] {
  const documents: Buffer[] = [];
  walk({ bytes, offset }, ({ type, start, end }) => {
    if (type !== 0x03) throw new StoreError('TypeMismatch', 'insert needs an array of documents');
    documents.push(bytes.subarray(start, end));
    return true;
  });
  return documents;
}

/** Refuses unknown fields (40415), because they could change the meaning of the command. */
export function checkFields(request: CommandRequest, allowed: readonly string[]): void {
  for (const name of request.body.keys()) {
    if (name === request.name || allowed.includes(name) || GENERIC.has(name)) continue;
    throw new StoreError('Location40415', `BSON field '${request.name}.${name}' is an unknown field.`);
  }
}

export function assertKnownFields(
  spec: Doc,
  { allowed, command }: { allowed: readonly string[]; command: string },
): void {
  for (const name of spec.keys()) {
    if (!allowed.includes(name))
      throw new StoreError('Location40415', `BSON field '${command}.${name}' is an unknown field.`);
  }
}

/** Refuses transactions, and read and write concerns that need replicas. */
export function checkConcerns({ body }: CommandRequest): void {
  if (body.has('txnNumber') || body.has('autocommit') || body.has('startTransaction')) {
    throw new StoreError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  const write = body.get('writeConcern');
  const w = isDoc(write) ? write.get('w') : undefined;
  if (isNumber(w) && toNumber(w) > 1) throw badValue(`cannot use 'w' > 1 when a host is not replicated`);
  if (typeof w === 'string' && w !== 'majority')
    throw badValue(`cannot use non-majority 'w' mode ${w} when a host is not a member of a replica set`);
  const read = body.get('readConcern');
  const level = isDoc(read) ? read.get('level') : undefined;
  if (level !== undefined && !['local', 'available', 'majority'].includes(toStringOrEmpty(level))) {
    throw notSupported(`the read concern ${toStringOrEmpty(level)}`);
  }
}

export function parseNamespace({ name, database, body }: CommandRequest): string {
  const collection = body.get(name);
  if (typeof collection !== 'string') throw badValue(`collection name has invalid type`);
  if (
    collection === '' ||
    collection.includes('\0') ||
    collection.includes('$') ||
    collection.startsWith('.')
  ) {
    throw new StoreError('InvalidNamespace', `Invalid namespace specified '${database}.${collection}'`);
  }
  return `${database}.${collection}`;
}

export function integerOption(body: Doc, name: string): number | undefined {
  const value = body.get(name);
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value)) {
    throw new StoreError(
      'TypeMismatch',
      `BSON field '${name}' is the wrong type, expected types '[long, int, decimal, double]'`,
    );
  }
  const whole = Math.trunc(toNumber(value));
  if (whole < 0 && name !== 'limit')
    throw badValue(`BSON field '${name}' value must be >= 0, actual value '${whole}'`);
  return whole;
}

export function parseDocument(value: Value | undefined, name: string): Doc {
  if (isDoc(value)) return value;
  throw new StoreError('TypeMismatch', `BSON field '${name}' is the wrong type, expected type 'object'`);
}

export function parseDocuments({ body, sequences }: CommandRequest, name: string): Doc[] {
  const sent = sequences.get(name);
  if (sent) return sent.map((bytes) => readBody(bytes).body);
  const list = body.get(name);
  if (!Array.isArray(list))
    throw new StoreError('Location40414', `BSON field '${name}' is missing but a required field`);
  return list.map((one) => parseDocument(one, name));
}

export function parseFlag(body: Doc, name: string): boolean {
  return isTruthy(body.get(name));
}
