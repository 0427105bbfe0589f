export type Relation = 'greater' | 'greater or equal' | 'less' | 'less or equal';

/** One end of a range. A single value must satisfy all bounds of a test. */
export interface Bound {
  relation: Relation;
  value: Value;
}

/**
 * Test of a field's value. For a list, some element must match; `none of` and `absent` apply to
 * every element.
 */
export type Test =
  | { is: 'one of' | 'none of'; values: readonly Value[] }
  | { is: 'present' | 'absent' }
  | { is: 'within'; bounds: readonly Bound[] }
  /** `pattern` is in the common syntax of domain/query/pattern.ts. */
  | { is: 'like'; pattern: string; ignoreCase: boolean }
  /** One member of the list satisfies all conditions, whose paths are relative to the member. */
  | { is: 'member'; conditions: readonly Condition[] }
  /** At least one condition holds. */
  | { is: 'any'; conditions: readonly Condition[] };

export interface FieldPath {
  /** Path as in requests: `id`, `participants.user`. */
  path: string;
  /** The lists on the path before its end, outermost first: `participants`. */
  lists?: readonly string[];
  /** The field itself is a list. */
  list?: boolean;
  /** The path selects a list element by number. */
  indexed?: boolean;
}

export type Condition = FieldPath & Test;

/** A parsed list request (spec 9.1). */
export interface ListQuery {
  conditions: Condition[];
  sort: { path: string; descending: boolean }[];
  limit: number;
  offset: number;
  /** Time limit of the query in the store, in milliseconds. */
  withinMs?: number;
}

/** Fields to show (spec 9). */
export interface Selection {
  kind: 'only' | 'without';
  paths: readonly string[];
}

/**
 * A reference to replace by the record it names. `fields` selects the record's fields; empty: all.
 */
export interface Population {
  path: string;
  fields: readonly string[];
}

/**
 * Format of a field's values in queries. `anything`: free-form; `object`: only its fields have
 * values; a list: an enum.
 */
export type ValueKind =
  'id' | 'text' | 'number' | 'boolean' | 'time' | 'anything' | 'object' | readonly string[];

export type Value = string | number | boolean | Date;
