import type mongoose from 'mongoose';
import { DomainError } from '../domain/errors.ts';
import { charactersIn } from '../domain/characters.ts';
import type { Condition, ListQuery } from '../domain/query/tree.ts';
import { compileFilter, storedPath } from './compile-filter.ts';
import { invalidRequest } from '../domain/refusal.ts';
import type { Filter } from './compile-filter.ts';

export type { Condition, ListQuery };

export interface Page<T> {
  records: T[];
  /** How many there are in all. */
  total: number;
}

/** How long one list may occupy the database. */
const MOST_TIME_MS = 20_000;

/**
 * The most that one answer shows: more than two hundred messages of the longest text, whatever its script. A process answers many at once, and
 * holds each several times over.
 */
export const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * The records that fulfil both the query and `scope`, the part of the filter that the caller has no hand in. `id` ascending ends every
 * order. Fields in `hidden` are not read. Throws DomainError `invalid_request` for a query that costs too much time, and for a page of more than
 * `MOST_CHARACTERS`, which is not read to its end.
 */
export async function findPage<T>(
  { collection }: { collection: mongoose.Collection },
  scope: Filter,
  { hidden = {}, ...query }: ListQuery & { hidden?: Readonly<Record<string, 0>> },
): Promise<Page<T>> {
  const filter = { $and: [scope, compileFilter(query.conditions)] };
  const sort = query.sort.map(({ path, descending }) => [storedPath(path), descending ? -1 : 1] as const);
  const order = new Map<string, 1 | -1>(sort);
  if (!order.has('_id')) order.set('_id', 1);
  const cursor = collection
    .find(filter, { maxTimeMS: MOST_TIME_MS, projection: hidden })
    .sort(order)
    .skip(query.offset)
    .limit(query.limit);
  const records = await affordable(readPage(cursor).finally(() => cursor.close()));
  return {
    records: records as T[],
    total: await totalOf(collection, filter, { ...query, found: records.length }),
  };
}

async function readPage(
  cursor: Pick<mongoose.mongo.FindCursor, 'hasNext' | 'readBufferedDocuments'>,
): Promise<unknown[]> {
  const records: unknown[] = [];
  let characters = 0;
  while (await cursor.hasNext()) {
    for (const record of cursor.readBufferedDocuments()) {
      characters += charactersIn(record);
      records.push(record);
    }
    if (characters > MOST_CHARACTERS) {
      throw invalidRequest(
        'limit',
        `a page holds ${MOST_CHARACTERS} characters at most; ask for a smaller one`,
      );
    }
  }
  return records;
}

// What the page itself says of the total is not asked for again.
async function totalOf(
  collection: mongoose.Collection,
  filter: Filter,
  { offset, limit, found }: { offset: number; limit: number; found: number },
): Promise<number> {
  const isLast = found < limit && (found > 0 || offset === 0);
  if (isLast) return offset + found;
  return affordable(collection.countDocuments(filter, { maxTimeMS: MOST_TIME_MS }));
}

/** What engines say of a query that costs more time than it may: a pattern on long texts, or too much to look through. */
const TOO_COSTLY = [50, 51156];

async function affordable<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (!TOO_COSTLY.includes((error as { code?: number }).code ?? 0)) throw error;
    throw new DomainError(
      'invalid_request',
      'The query would take too long. Narrow it, or simplify its patterns.',
    );
  }
}
