import { StoreError } from '../errors.ts';
import { encodeDocument } from '../bson/encode.ts';
import { insertRecord } from '../storage/documents.ts';
import { implicitCollection } from './namespaces.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, docsOf, flagOf, namespaceOf } from './request.ts';
import { preparedForInsert } from './write.ts';

export type WriteError = Record<string, unknown>;

const MOST_WRITES = 100_000;

/** One entry of `writeErrors`; what is no refusal of this write (a full disk, a bug) fails the whole command. */
export function writeError(index: number, error: unknown): WriteError {
  if (!(error instanceof StoreError) || error.codeName === 'OutOfDiskSpace') throw error;
  return { index, code: error.code, ...error.extra, errmsg: error.message };
}

export function checkCount(count: number): void {
  if (count >= 1 && count <= MOST_WRITES) return;
  throw new StoreError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MOST_WRITES}. Got ${count} operations.`,
  );
}

export function withErrors(answer: Answer, errors: readonly WriteError[]): Answer {
  return errors.length > 0 ? { ...answer, writeErrors: errors } : answer;
}

export async function insert(store: Store, request: Request): Promise<Answer> {
  const { body, sequences } = request;
  checkFields(request, ['documents', 'ordered', 'bypassDocumentValidation']);
  const namespace = namespaceOf(request);
  const ordered = !body.has('ordered') || flagOf(body, 'ordered');
  const documents = sequences.get('documents') ?? docsOf(request, 'documents').map(encodeDocument);
  checkCount(documents.length);
  return store.environment.write(() => insertAll(store, { namespace, ordered, documents }));
}

interface Insertion {
  namespace: string;
  ordered: boolean;
  documents: readonly Buffer[];
}

function insertAll(store: Store, { namespace, ordered, documents }: Insertion): Answer {
  const collection = implicitCollection(store, namespace);
  const errors: WriteError[] = [];
  let count = 0;
  for (const [index, bytes] of documents.entries()) {
    try {
      insertRecord(store, { collection, bytes: preparedForInsert(bytes) });
      count++;
    } catch (error) {
      errors.push(writeError(index, error));
      if (ordered) break;
    }
  }
  return withErrors({ n: count, ok: 1 }, errors);
}
