import { Long } from 'bson';
import { StoreError } from '../errors.ts';
import type { Step } from '../query/read.ts';

/** The documents of a result, one after the other, as bytes. */
export type Documents = Iterator<Step<Buffer>>;

interface Open {
  documents: Documents;
  namespace: string;
  usedAt: number;
  /** A document that did not fit into the batch before. */
  held: Buffer | undefined;
}

export interface Batch {
  documents: Buffer[];
  /** 0 when nothing is left. */
  id: Long;
}

export interface BatchWanted {
  namespace: string;
  /** The most documents; undefined for as many as a message holds. */
  size: number | undefined;
  /** Milliseconds since the epoch after which reading is given up (MaxTimeMSExpired, 50). */
  deadline: number | undefined;
}

export interface Cursors {
  /** The first batch of a result; the rest waits under the id of the answer. */
  open(documents: Documents, wanted: BatchWanted & { single: boolean }): Promise<Batch>;
  /** The next batch; throws CursorNotFound (43). */
  next(id: Long, wanted: BatchWanted): Promise<Batch>;
  kill(id: Long, namespace: string): boolean;
  /** Forgets cursors that nobody has asked for since `before` (milliseconds). */
  expire(before: number): void;
  count(): number;
}

const BATCH_BYTES = 16 * 1024 * 1024;
const SLICE_MS = 10;

export function createCursors(): Cursors {
  const cursors = new Map<string, Open>();
  let counter = Math.floor(Math.random() * 1_000_000_000);

  function cursorOf(id: Long, namespace: string): Open {
    const cursor = cursors.get(id.toString());
    if (cursor?.namespace !== namespace)
      throw new StoreError('CursorNotFound', `cursor id ${id.toString()} not found`);
    return cursor;
  }

  return {
    open: async (documents, { single, ...wanted }) => {
      const cursor: Open = { documents, namespace: wanted.namespace, usedAt: Date.now(), held: undefined };
      const batch = await fill(cursor, wanted);
      if (batch.done || single) return { documents: batch.documents, id: Long.ZERO };
      const id = Long.fromNumber(++counter * 4096 + Math.floor(Math.random() * 4096));
      cursors.set(id.toString(), cursor);
      return { documents: batch.documents, id };
    },
    next: async (id, wanted) => {
      const cursor = cursorOf(id, wanted.namespace);
      cursor.usedAt = Date.now();
      const batch = await fill(cursor, wanted);
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

/** Reads one batch, giving way to other clients every few milliseconds. */
async function fill(
  cursor: Open,
  { size, deadline }: BatchWanted,
): Promise<{ documents: Buffer[]; done: boolean }> {
  const documents: Buffer[] = [];
  let bytes = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  while (documents.length !== size) {
    const next = takeFrom(cursor);
    if (next.done) return { documents, done: true };
    if (next.value && bytes + next.value.length > BATCH_BYTES && documents.length > 0) {
      cursor.held = next.value;
      return { documents, done: false };
    }
    if (next.value) {
      documents.push(next.value);
      bytes += next.value.length;
    }
    if (performance.now() < sliceEnd) continue;
    await giveWay(deadline);
    sliceEnd = performance.now() + SLICE_MS;
  }
  return { documents, done: false };
}

function takeFrom(cursor: Open): IteratorResult<Step<Buffer>> {
  const { held } = cursor;
  if (!held) return cursor.documents.next();
  cursor.held = undefined;
  return { done: false, value: held };
}

/** Lets other clients' work run; throws MaxTimeMSExpired (50) when the time allowed is over. */
export async function giveWay(deadline: number | undefined): Promise<void> {
  if (deadline !== undefined && Date.now() > deadline)
    throw new StoreError('MaxTimeMSExpired', 'operation exceeded time limit');
  await new Promise((resolve) => setImmediate(resolve));
}
