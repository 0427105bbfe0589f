export type Relation = 'greater' | 'greater or equal' | 'less' | 'less or equal';

/** One value must satisfy all bounds of a test. */
export interface Bound {
  relation: Relation;
  value: Value;
}

/** In a list some element must match. `none of` and `absent` apply to every element. */
export type Test =
  | { is: 'one of' | 'none of'; values: readonly Value[] }
  | { is: 'present' | 'absent' }
  | { is: 'within'; bounds: readonly Bound[] }
  /** `pattern` is in the syntax of domain/query/pattern.ts. */
  | { is: 'like'; pattern: string; ignoreCase: boolean }
  /** One member satisfies all conditions. Their paths are relative to the member. */
  | { is: 'member'; conditions: readonly Condition[] }
  /** At least one condition holds. */
  | { is: 'any'; conditions: readonly Condition[] };

export interface FieldPath {
  path: string;
  /** Lists on the way to the field, outermost first, such as `participants`. */
  lists?: readonly string[];
  list?: boolean;
  indexed?: boolean;
}

export type Condition = FieldPath & Test;

/** See spec 9.1. */
export interface ListQuery {
  conditions: Condition[];
  sort: { path: string; descending: boolean }[];
  limit: number;
  offset: number;
  /** Time limit in the store, in milliseconds. */
  withinMs?: number;
}

export interface Selection {
  kind: 'only' | 'without';
  paths: readonly string[];
}

/** `fields` selects fields of the referenced record; empty: all. */
export interface Population {
  path: string;
  fields: readonly string[];
}

/**
 * Format of values. `anything`: free-form; `object`: only its fields have values; a list: an enum.
 */
export type ValueKind =
  | 'id'
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'anything'
  | 'object'
  | readonly string[];

export type Value = string | number | boolean | Date;
