import { anyCollection } from '../connection/model.ts';
import type { Model, TenantDocument } from '../connection/model.ts';
import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { insertOnce } from '../queries/insert.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import type { Patch } from '../queries/patch.ts';
import { insertInto, moveInto } from './organization-removal.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** Every query takes the reach first, so that no caller can omit it. */
export interface TenantRecords<T extends TenantDocument> {
  find: (reach: Reach, id: string) => Promise<T | null>;
  findMany: (reach: Reach, ids: readonly string[]) => Promise<T[]>;
  list: (reach: Reach, query: ListQuery) => Promise<Page<T>>;
  /** Rejects with a duplicate-key error, or DomainError `forbidden` for a removed organization. */
  insert: (record: T) => Promise<void>;
  /**
   * Returns null if the record is out of reach or differs from `seen`. Rejects as `insert` does.
   */
  update: (reach: Reach, id: string, patch: Patch<T>, seen?: T) => Promise<T | null>;
  /** Returns null as `update` does. */
  remove: (reach: Reach, id: string, seen?: T) => Promise<T | null>;
}

/** Guests see no records (spec 4.1). */
export function tenantRecords<T extends TenantDocument>(model: Model<T>): TenantRecords<T> {
  const collection = anyCollection(model);

  async function find(reach: Reach, id: string): Promise<T | null> {
    if (reach.guest !== undefined) return null;
    return visibleOrNull(reach, await collection.findOne<T>({ _id: id }));
  }

  // The record may have moved since it was read.
  function writeFilter({ _id, organization }: T, seen: T | undefined): object {
    return { _id, organization, ...unchangedFilter(model, seen) };
  }

  return {
    find,
    async findMany(reach, ids) {
      if (reach.guest !== undefined) return [];
      const found = await collection.find<T>({ _id: { $in: [...ids] } }).toArray();
      return filterVisible(reach, found);
    },
    async list(reach, query) {
      if (reach.guest !== undefined) return { records: [], total: 0 };
      return findPage({ collection }, { organization: { $in: await organizationsWithin(reach) } }, query);
    },
    async insert(record) {
      const { _id, organization } = record;
      await insertInto(organization, () => insertOnce({ collection }, record), {
        takeBack: () => collection.deleteMany({ _id, organization }),
      });
    },
    async update(reach, id, patch, seen) {
      const stored = await find(reach, id);
      if (!stored) return null;
      const change = () =>
        collection.findOneAndUpdate(writeFilter(stored, seen), toUpdateOperators(patch), {
          returnDocument: 'after',
        });
      return (await moveInto(model, { stored, patch, write: change })) as T | null;
    },
    async remove(reach, id, seen) {
      const stored = await find(reach, id);
      return stored && ((await collection.findOneAndDelete(writeFilter(stored, seen))) as T | null);
    },
  };
}
