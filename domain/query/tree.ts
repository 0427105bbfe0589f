export type Relation = 'greater' | 'greater or equal' | 'less' | 'less or equal';

/** One end of a range. All bounds of a test hold for one and the same value. */
export interface Bound {
  relation: Relation;
  value: Value;
}

/**
 * What is asked of a field. Of a list: of some element, but for `none of` and `absent`, which deny
 * it of every one.
 */
export type Test =
  | { is: 'one of' | 'none of'; values: readonly Value[] }
  | { is: 'present' | 'absent' }
  | { is: 'within'; bounds: readonly Bound[] }
  /** `pattern` is in the common language of domain/query/pattern.ts. */
  | { is: 'like'; pattern: string; ignoreCase: boolean }
  /** One member of the list fulfils all. The paths of its conditions begin at the member. */
  | { is: 'member'; conditions: readonly Condition[] }
  /** One of the conditions holds. */
  | { is: 'any'; conditions: readonly Condition[] };

/** Where a field is. */
export interface FieldPath {
  /** As callers name it: `id`, `participants.user`. */
  path: string;
  /** The lists that the path leads through before its end, the outermost first: `participants`. */
  lists?: readonly string[];
  /** The field itself holds a list. */
  list?: boolean;
  /** The path names an element by its number. */
  indexed?: boolean;
}

/** A condition on a record. */
export type Condition = FieldPath & Test;

/** A list request that was understood (spec 9.1). */
export interface ListQuery {
  conditions: Condition[];
  sort: { path: string; descending: boolean }[];
  limit: number;
  offset: number;
  /** How long the store may take for it. */
  withinMs?: number;
}

/** Which fields to show (spec 9). */
export interface Selection {
  kind: 'only' | 'without';
  paths: readonly string[];
}

/**
 * A reference to be shown as the record it names; `fields` are those picked, all if there are none.
 */
export interface Population {
  path: string;
  fields: readonly string[];
}

/**
 * How the values of a field are written in a query. `anything`: free-form; `object`: only its
 * fields have values; a list: an enum.
 */
export type ValueKind =
  'id' | 'text' | 'number' | 'boolean' | 'time' | 'anything' | 'object' | readonly string[];

export type Value = string | number | boolean | Date;
