import { Long } from 'bson';
import { StoreError } from '../errors.ts';
import type { ItemOrPause } from '../query/read.ts';
import { createPace } from './turns.ts';

export type Documents = Iterator<ItemOrPause<Buffer>>;

interface OpenCursor {
  documents: Documents;
  namespace: string;
  usedAt: number;
  /** A document that did not fit into the previous batch. */
  held: Buffer | undefined;
  /** Milliseconds left for all batches together. */
  leftMs: number | undefined;
}

export interface Batch {
  documents: Buffer[];
  /** 0 if no batch follows. */
  id: Long;
}

export interface BatchRequest {
  namespace: string;
  /** Undefined: only BATCH_BYTES limits the batch. */
  size: number | undefined;
}

export interface Cursors {
  /**
   * Returns the first batch, and keeps the rest under the returned id. `limitMs` limits the time of
   * all batches together (MaxTimeMSExpired, 50).
   */
  open(
    documents: Documents,
    wanted: BatchRequest & { single: boolean; limitMs: number | undefined },
  ): Promise<Batch>;
  /** Throws CursorNotFound (43). */
  next(id: Long, wanted: BatchRequest): Promise<Batch>;
  kill(id: Long, namespace: string): boolean;
  /** Removes cursors that were last used before this time (milliseconds). */
  expire(before: number): void;
  count(): number;
}

const BATCH_BYTES = 16 * 1024 * 1024;

export function createCursors(): Cursors {
  const cursors = new Map<string, OpenCursor>();
  let counter = Math.floor(Math.random() * 1_000_000_000);

  function findCursor(id: Long, namespace: string): OpenCursor {
    const cursor = cursors.get(id.toString());
    if (cursor?.namespace !== namespace)
      throw new StoreError('CursorNotFound', `cursor id ${id.toString()} not found`);
    return cursor;
  }

  return {
    open: async (documents, { single, limitMs: leftMs, namespace, size }) => {
      const cursor: OpenCursor = { documents, namespace, usedAt: Date.now(), held: undefined, leftMs };
      const batch = await fill(cursor, size);
      if (batch.done || single) return { documents: batch.documents, id: Long.ZERO };
      const id = Long.fromNumber(++counter * 4096 + Math.floor(Math.random() * 4096));
      cursors.set(id.toString(), cursor);
      return { documents: batch.documents, id };
    },
    next: async (id, wanted) => {
      const cursor = findCursor(id, wanted.namespace);
      cursor.usedAt = Date.now();
      const batch = await fill(cursor, wanted.size);
      if (batch.done) cursors.delete(id.toString());
      return { documents: batch.documents, id: batch.done ? Long.ZERO : id };
    },
    kill: (id, namespace) =>
      cursors.get(id.toString())?.namespace === namespace && cursors.delete(id.toString()),
    expire: (before) => {
      for (const [id, cursor] of cursors) if (cursor.usedAt < before) cursors.delete(id);
    },
    count: () => cursors.size,
  };
}

async function fill(
  cursor: OpenCursor,
  size: number | undefined,
): Promise<{ documents: Buffer[]; done: boolean }> {
  const begun = performance.now();
  const batch = await read(cursor, size);
  if (cursor.leftMs !== undefined) cursor.leftMs -= performance.now() - begun;
  return batch;
}

async function read(
  cursor: OpenCursor,
  size: number | undefined,
): Promise<{ documents: Buffer[]; done: boolean }> {
  const documents: Buffer[] = [];
  const pace = createPace(cursor.leftMs);
  let bytes = 0;
  while (documents.length !== size) {
    const next = nextDocument(cursor);
    if (next.done) return { documents, done: true };
    if (next.value && bytes + next.value.length > BATCH_BYTES && documents.length > 0) {
      cursor.held = next.value;
      return { documents, done: false };
    }
    if (next.value) {
      documents.push(next.value);
      bytes += next.value.length;
    }
    const rest = pace.rest();
    if (rest) await rest;
  }
  return { documents, done: false };
}

function nextDocument(cursor: OpenCursor): IteratorResult<ItemOrPause<Buffer>> {
  const { held } = cursor;
  if (!held) return cursor.documents.next();
  cursor.held = undefined;
  return { done: false, value: held };
}
