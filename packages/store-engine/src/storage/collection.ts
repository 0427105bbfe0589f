import type { Doc } from '../bson/value.ts';
import type { CompiledFilter } from '../query/filter.ts';
import type { Path } from '../query/path.ts';

export interface IndexField {
  name: string;
  path: Path;
  descending: boolean;
}

export interface Index {
  id: number;
  name: string;
  fields: readonly IndexField[];
  unique: boolean;
  sparse: boolean;
  partial: CompiledFilter | undefined;
  expireAfterSeconds: number | undefined;
  /** In the form of `listIndexes`, without `v` and `name`. */
  spec: Doc;
  /**
   * Positions of fields that were an array in some document. Such fields give no order, and their
   * bounds cannot be combined.
   */
  multikey: Set<number>;
  /**
   * True if some value was too long for a key. The index truncates such values and gives no order.
   */
  truncated: boolean;
  /** True during the build: writes maintain the index, and queries ignore the index. */
  building: boolean;
}

export interface StoredCollection {
  id: number;
  database: string;
  name: string;
  namespace: string;
  uuid: Buffer;
  /** The first index is on `_id`. The list is replaced, never changed. */
  indexes: readonly Index[];
  nextRecord: number;
  /** Counts replaced and removed documents, so that readers detect stale keys. Not stored. */
  changes: number;
}
