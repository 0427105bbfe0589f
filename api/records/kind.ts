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

/** What a body may say of any record; its schema says whether it does. */
export interface RecordBody {
  organization?: string | undefined;
  meta?: Meta | null | undefined;
}

type Own<T> = Omit<T, keyof TenantDocument | 'meta'>;

/** A resource whose records are stored as callers say them, within an organization. */
interface KindFields<T extends TenantDocument, I extends TSchema, P extends TSchema> {
  /** A record as it is shown: what it does not name is not shown. */
  schema: TObject;
  /** The bodies of POST and PATCH. */
  input: I;
  patch: P;
  store: TenantRecords<T>;
  /** Where a record is not shown as it is stored. */
  present?: (record: T) => Record<string, unknown>;
  /** What a body has to fulfil before a record is made or changed; refuses with a DomainError. */
  check?: (body: Static<I> | Static<P>, request: ApiRequest, api: Api) => Promise<void>;
  /** What a new record holds besides what every record has. May refuse with a DomainError. */
  draft: (body: Static<I>, principal: Principal) => Own<T> | Promise<Own<T>>;
  /** What a PATCH changes besides `meta` and the organization. May refuse with a DomainError. */
  change: (body: Static<P>, principal: Principal) => Patch<T> | Promise<Patch<T>>;
  /** What is said (409) when a unique value is taken. */
  taken?: { path: string; message: string };
}

type Ended = 'pull' | 'disable' | 'cascade';

/** How the references to a removed record end which the table of resources does not keep. */
export type Ending<N extends RecordResource> = Record<ReferenceTo<N, Ended>, (id: string) => Promise<void>>;

/**
 * What a kind is written as. `ending` is there for those that others refer to, and only there. A
 * removal that others restrict needs a handler of its own.
 */
type GivenKind<
  N extends RecordResource,
  T extends TenantDocument,
  I extends TSchema,
  P extends TSchema,
> = KindFields<T, I, P> & { name: N } & ([ReferenceTo<N, 'restrict'>] extends [never] ? unknown : never) &
  ([ReferenceTo<N, Ended>] extends [never] ? { ending?: never } : { ending: Ending<N> });

/** A kind of records with all that routes and listing need of it. */
export type RecordKind<T extends TenantDocument, I extends TSchema, P extends TSchema> = Omit<
  KindFields<T, I, P>,
  'present'
> &
  RecordSource<T, RecordResource> & { ending?: Record<string, (id: string) => Promise<void>> | undefined };

/** Completes a kind: it is shown by its schema, and found in its store. */
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
