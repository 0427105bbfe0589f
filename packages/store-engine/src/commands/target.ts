import type { Value } from '../bson/value.ts';
import type { Filter } from '../query/filter.ts';

export interface Target {
  namespace: string;
  filter: Filter;
  sort?: Value | undefined;
  hint?: Value | undefined;
}
