import type { TObject, TSchema } from 'typebox';
import { RESOURCES } from '../../domain/resources.ts';
import type { ResourceName } from '../../domain/resources.ts';
import type { ListQuery, Page } from '../../store/queries/listing.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { DeclaredRecord } from '../../schema/record.ts';
import { buildPaths } from '../listing/paths.ts';
import type { Paths } from '../listing/paths.ts';

export interface Resource<T, N extends ResourceName = ResourceName> {
  name: N;
  present: (record: T) => unknown;
}

export interface RecordSource<T, N extends ResourceName = ResourceName> extends Resource<T, N> {
  schema: TObject;
  /** Fields for filters and sorting. */
  paths: Paths;
  find: (reach: Reach, id: string) => Promise<T | null>;
  /** In any order. */
  findMany: (reach: Reach, ids: readonly string[]) => Promise<T[]>;
  list: (reach: Reach, query: ListQuery) => Promise<Page<T>>;
}

export interface Bodies<I extends TSchema, P extends TSchema> {
  input: I;
  patch: P;
}

type Queries<T> = Pick<RecordSource<T>, 'find' | 'findMany' | 'list'>;

/** Makes filters and sorting refuse the fields in `hidden`. */
export function recordSource<
  T extends { _id: string },
  N extends ResourceName,
  I extends TSchema,
  P extends TSchema,
>(
  { resource: name, answer: schema, present, input, patch }: DeclaredRecord<N, I, P>,
  { find, findMany, list }: Queries<T>,
  hidden: readonly string[] = [],
): RecordSource<T, N> & Bodies<I, P> {
  const paths = buildPaths(schema, hidden);
  return { name, schema, paths, present, find, findMany, list, input, patch };
}

export function describeResource({ name }: Pick<Resource<never>, 'name'>): string {
  return `The ${RESOURCES[name].noun}`;
}
