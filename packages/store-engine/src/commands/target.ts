import type { Value } from '../bson/value.ts';
import type { CompiledFilter } from '../query/filter.ts';

export interface WriteTarget {
  namespace: string;
  filter: CompiledFilter;
  sort?: Value | undefined;
  hint?: Value | undefined;
}
