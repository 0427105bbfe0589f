import type mongoose from 'mongoose';
import type { AnyCollection } from '../connection/model.ts';
import { charactersIn } from '../../domain/characters.ts';
import type { Condition, ListQuery } from '../../domain/query/tree.ts';
import { compileFilter, storedPath } from './compile-filter.ts';
import { invalidRequest } from '../../domain/errors.ts';
import type { Filter } from './compile-filter.ts';
import { createSlices } from './slices.ts';

export type { Condition, ListQuery };

export interface Page<T> {
  records: T[];
  total: number;
}

const MAX_TIME_MS = 10_000;

/** Largest page: more than two hundred messages of the maximum length. */
export const MAX_CHARACTERS = 16 * 1024 * 1024;

interface PageOptions {
  hidden?: Readonly<Record<string, 0>>;
  /** Default: counts the records in `scope` that meet the conditions. */
  count?: Count | undefined;
}

export type Count = (within: { maxTimeMS: number }) => Promise<number>;

/**
 * Returns a page in `scope`, sorted by `id` last. Throws SearchTooLong, or DomainError
 * `invalid_request` if a pattern or an order is too costly or the page exceeds `MAX_CHARACTERS`.
 */
export async function findPage<T>(
  { collection }: { collection: AnyCollection },
  scope: Filter,
  { hidden = {}, withinMs = MAX_TIME_MS, count, ...query }: ListQuery & PageOptions,
): Promise<Page<T>> {
  const end = performance.now() + withinMs;
  const filter = { $and: [scope, compileFilter(query.conditions)] };
  const sort = query.sort.map(({ path, descending }) => [storedPath(path), descending ? -1 : 1] as const);
  const order = new Map<string, 1 | -1>(sort);
  if (!order.has('_id')) order.set('_id', 1);
  const cursor = collection
    .find(filter, { maxTimeMS: withinMs, projection: hidden })
    .sort(order)
    .skip(query.offset)
    .limit(query.limit);
  const bounds = { limit: Infinity, maxCharacters: MAX_CHARACTERS + 1 };
  const { records, more } = await withCostLimit(readRecords<T & object>(cursor, bounds));
  if (more)
    throw invalidRequest('limit', `a page has at most ${MAX_CHARACTERS} characters; request a smaller page`);
  const countAll: Count = count ?? ((within) => collection.countDocuments(filter, within));
  return { records, total: await countTotal(countAll, { ...query, found: records.length, end }) };
}

export interface ReadBounds {
  limit: number;
  /** The read ends with the record that reaches this sum. */
  maxCharacters: number;
}

export interface Part<T> {
  records: T[];
  /** Whether a bound ended the read. */
  more: boolean;
}

export async function readRecords<T extends object>(
  cursor: mongoose.mongo.FindCursor,
  { limit, maxCharacters }: ReadBounds,
): Promise<Part<T>> {
  const slices = createSlices();
  const records: T[] = [];
  let characters = 0;
  try {
    while (records.length < limit && characters < maxCharacters) {
      const record = (await cursor.next()) as T | null;
      if (record === null) return { records, more: false };
      records.push(record);
      characters += charactersIn(record);
      const rest = slices.rest();
      if (rest) await rest;
    }
    return { records, more: true };
  } finally {
    await cursor.close();
  }
}

/** Counts only if the page itself does not reveal the total. */
async function countTotal(
  count: Count,
  { offset, limit, found, end }: { offset: number; limit: number; found: number; end: number },
): Promise<number> {
  const isLast = found < limit && (found > 0 || offset === 0);
  if (isLast) return offset + found;
  const maxTimeMS = Math.max(1, Math.ceil(end - performance.now()));
  return withCostLimit(count({ maxTimeMS }));
}

/** Codes: a pattern on a text that is too long, an order that needs too much memory. */
const TOO_COSTLY: readonly unknown[] = [51156, 292];

async function withCostLimit<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (!TOO_COSTLY.includes((error as { code?: unknown }).code)) rethrowTooLong(error);
    throw invalidRequest('query', 'is too expensive; narrow it, or simplify its patterns and its order');
  }
}

/** Error code of an exceeded `maxTimeMS`. */
const TIME_IS_OVER = 50;

export class SearchTooLong extends Error {
  override readonly name = 'SearchTooLong';
}

export function rethrowTooLong(error: unknown): never {
  if ((error as { code?: unknown }).code === TIME_IS_OVER) throw new SearchTooLong();
  throw error;
}
