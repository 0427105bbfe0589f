import type { Static, TObject, TSchema } from 'typebox';
import type { Principal } from '../../application/auth/principal.ts';
import { presentRecord } from '../../domain/record-fields.ts';
import type { Meta } from '../../domain/messages/message.ts';
import type { RecordResource, ReferenceTo } from '../../domain/resources.ts';
import type { Patch } from '../../store/queries/patch.ts';
import type { TenantDocument, TenantRecords } from '../../store/records/tenant-records.ts';
import { buildPaths } from '../listing/paths.ts';
import type { Api, ApiRequest } from '../request.ts';
import type { RecordSource } from './resource.ts';

/** Fields of a body, if the schema has them. */
export interface RecordBody {
  organization?: string | undefined;
  meta?: Meta | null | undefined;
}

type Own<T> = Omit<T, keyof TenantDocument | 'meta'>;

/** Resource whose records are stored as sent. */
interface KindFields<T extends TenantDocument, I extends TSchema, P extends TSchema> {
  /** Other fields are not shown. */
  schema: TObject;
  input: I;
  patch: P;
  store: TenantRecords<T>;
  present?: (record: T) => Record<string, unknown>;
  /** May throw a DomainError. */
  check?: (body: Static<I> | Static<P>, request: ApiRequest, api: Api) => Promise<void>;
  /** Returns the additional fields of a new record. May throw a DomainError. */
  draft: (body: Static<I>, principal: Principal) => Own<T> | Promise<Own<T>>;
  /** Returns the changes besides `meta` and the organization. May throw a DomainError. */
  change: (body: Static<P>, principal: Principal) => Patch<T> | Promise<Patch<T>>;
  /** Error (409) for a taken value. */
  taken?: { path: string; message: string };
}

type Ended = 'pull' | 'disable' | 'cascade';

/** Functions that end the references to a removed record. */
export type Ending<N extends RecordResource> = Record<ReferenceTo<N, Ended>, (id: string) => Promise<void>>;

/**
 * Requires `ending` if other records refer to the kind. A kind with restricted removal needs its
 * own handler.
 */
type GivenKind<
  N extends RecordResource,
  T extends TenantDocument,
  I extends TSchema,
  P extends TSchema,
> = KindFields<T, I, P> & { name: N } & ([ReferenceTo<N, 'restrict'>] extends [never] ? unknown : never) &
  ([ReferenceTo<N, Ended>] extends [never] ? { ending?: never } : { ending: Ending<N> });

export type RecordKind<T extends TenantDocument, I extends TSchema, P extends TSchema> = Omit<
  KindFields<T, I, P>,
  'present'
> &
  RecordSource<T, RecordResource> & { ending?: Record<string, (id: string) => Promise<void>> | undefined };

export function recordKind<
  const N extends RecordResource,
  T extends TenantDocument,
  I extends TSchema,
  P extends TSchema,
>(given: GivenKind<N, T, I, P>): RecordKind<T, I, P> {
  const { schema, store } = given;
  const fields = Object.keys(schema.properties).filter((field) => field !== 'id');
  return {
    present: (record) => presentRecord(record, fields as (keyof T & string)[]),
    ...given,
    paths: buildPaths(schema),
    find: store.find,
    findMany: store.findMany,
    list: store.list,
  };
}
