import type { TObject } from 'typebox';
import { RESOURCES } from '../../domain/resources.ts';
import type { ResourceName } from '../../domain/resources.ts';
import type { ListQuery, Page } from '../../store/queries/listing.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { Paths } from '../listing/paths.ts';

/** How records of a resource are called and shown. */
export interface Resource<T, N extends ResourceName = ResourceName> {
  name: N;
  present: (record: T) => unknown;
}

/** Where the records of a resource are found, as far as they are within reach. */
export interface RecordSource<T, N extends ResourceName = ResourceName> extends Resource<T, N> {
  /** A record as it is shown. */
  schema: TObject;
  /** What a list can be asked by. */
  paths: Paths;
  find: (reach: Reach, id: string) => Promise<T | null>;
  /** In any order. */
  findMany: (reach: Reach, ids: readonly string[]) => Promise<T[]>;
  list: (reach: Reach, query: ListQuery) => Promise<Page<T>>;
}

/** A record as refusals call it: "The knowledge item". */
export function describeResource({ name }: Pick<Resource<never>, 'name'>): string {
  return `The ${RESOURCES[name].noun}`;
}
