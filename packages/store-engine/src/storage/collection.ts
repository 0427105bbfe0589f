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
  /** Which documents a partial index holds. */
  partial: CompiledFilter | undefined;
  expireAfterSeconds: number | undefined;
  /** The specification as `listIndexes` answers it, without `v` and `name`. */
  spec: Doc;
  /**
   * The fields that held an array in some document: their bounds cannot be combined and give no
   * order.
   */
  multikey: Set<number>;
  /**
   * Some value was too long for a key: the index finds by the beginning of the value and gives no
   * order.
   */
  truncated: boolean;
  /** Its entries are still being made: writes maintain it, nobody reads it yet. */
  building: boolean;
}

export interface StoredCollection {
  id: number;
  database: string;
  name: string;
  namespace: string;
  uuid: Buffer;
  /** The first is the one on `_id`. Replaced, never changed, when an index is made or dropped. */
  indexes: readonly Index[];
  nextRecord: number;
  /**
   * Grows with every change of a stored document, so that a reader can tell whether what it has
   * read still holds. Not stored.
   */
  changes: number;
}
