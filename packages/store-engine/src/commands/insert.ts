import { StoreError } from '../errors.ts';
import { encodeDocument } from '../bson/encode.ts';
import { insertRecord } from '../storage/documents.ts';
import { implicitCollection } from './namespaces.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseDocuments, parseFlag, parseNamespace } from './request.ts';
import { prepareForInsert } from './write.ts';

export type WriteError = Record<string, unknown>;

const MAX_WRITES = 100_000;

/** Maximum number of documents per transaction. Other commands can run between two transactions. */
export const CHUNK = 200;

/** Rethrows errors that must fail the whole command: a full disk or a bug. */
export function writeError(index: number, error: unknown): WriteError {
  if (!(error instanceof StoreError) || error.codeName === 'OutOfDiskSpace') throw error;
  return { index, code: error.code, ...error.extra, errmsg: error.message };
}

export function checkCount(count: number): void {
  if (count >= 1 && count <= MAX_WRITES) return;
  throw new StoreError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MAX_WRITES}. Got ${count} operations.`,
  );
}

export function withErrors(answer: CommandReply, errors: readonly WriteError[]): CommandReply {
  return errors.length > 0 ? { ...answer, writeErrors: errors } : answer;
}

export async function insert(store: Store, request: CommandRequest): Promise<CommandReply> {
  const { body, sequences } = request;
  checkFields(request, ['documents', 'ordered', 'bypassDocumentValidation']);
  const namespace = parseNamespace(request);
  const ordered = !body.has('ordered') || parseFlag(body, 'ordered');
  const documents = sequences.get('documents') ?? parseDocuments(request, 'documents').map(encodeDocument);
  checkCount(documents.length);
  const errors: WriteError[] = [];
  let count = 0;
  for (let first = 0; first < documents.length && !(ordered && errors.length > 0); first += CHUNK) {
    const chunk = documents.slice(first, first + CHUNK);
    const inserted = await store.environment.write(() =>
      insertAll(store, { namespace, ordered, documents: chunk, first }),
    );
    count += inserted.count;
    errors.push(...inserted.errors);
  }
  return withErrors({ n: count, ok: 1 }, errors);
}

interface Insertion {
  namespace: string;
  ordered: boolean;
  documents: readonly Buffer[];
  /** Position of the first document in the client's list. */
  first: number;
}

function insertAll(
  store: Store,
  { namespace, ordered, documents, first }: Insertion,
): { count: number; errors: WriteError[] } {
  const collection = implicitCollection(store, namespace);
  const errors: WriteError[] = [];
  let count = 0;
  for (const [index, bytes] of documents.entries()) {
    try {
      insertRecord(store, { collection, bytes: prepareForInsert(bytes) });
      count++;
    } catch (error) {
      errors.push(writeError(first + index, error));
      if (ordered) break;
    }
  }
  return { count, errors };
}
