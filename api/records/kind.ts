import type { Static, TProperties, TSchema } from 'typebox';
import type { Principal } from '../../application/auth/principal.ts';
import type { DeclaredRecord } from '../../schema/record.ts';
import type { Meta } from '../../domain/messages/message.ts';
import type { RecordResource, ReferenceTo } from '../../domain/resources.ts';
import type { TenantRecords } from '../../store/records/tenant-records.ts';
import type { TenantDocument } from '../../store/connection/model.ts';
import type { Api, ApiRequest } from '../request.ts';
import { recordSource } from './resource.ts';
import type { Bodies, RecordSource } from './resource.ts';

export interface RecordBody {
  organization?: string | undefined;
  meta?: Meta | null | undefined;
}

/** Resource whose records are stored as sent, except the result of `prepare`. */
interface KindOptions<T extends TenantDocument, I extends TSchema, P extends TSchema> {
  store: TenantRecords<T>;
  present?: (record: T) => Record<string, unknown>;
  /** Runs before `prepare`. May throw a DomainError. */
  check?: ((body: Static<I> | Static<P>, request: ApiRequest, api: Api) => Promise<void>) | undefined;
  /** Returns the stored values of the fields that are not stored as sent. */
  prepare?:
    | ((body: Static<I> | Static<P>, principal: Principal) => Partial<T> | Promise<Partial<T>>)
    | undefined;
  /** Error (409) for a value that another record has. */
  taken?:
    | {
        path: string;
        message: string;
        /** Returns the id of the record that has the value. */
        findHolder: (record: T) => Promise<string | undefined>;
      }
    | undefined;
}

type Ended = 'pull' | 'disable' | 'cascade';

/** Functions that end references to a removed record. */
export type Ending<N extends RecordResource> = Record<ReferenceTo<N, Ended>, (id: string) => Promise<void>>;

/** A kind whose removal is restricted needs its own handler. */
type GivenKind<
  N extends RecordResource,
  T extends TenantDocument,
  I extends TSchema,
  P extends TSchema,
> = KindOptions<T, I, P> & { record: DeclaredRecord<N, I, P> } & ([ReferenceTo<N, 'restrict'>] extends [never]
    ? unknown
    : never) &
  ([ReferenceTo<N, Ended>] extends [never] ? { ending?: never } : { ending: Ending<N> });

export type RecordKind<T extends TenantDocument, I extends TSchema, P extends TSchema> = Omit<
  KindOptions<T, I, P>,
  'present'
> &
  RecordSource<T, RecordResource> &
  Bodies<I, P> & {
    fields: TProperties;
    ending?: Record<string, (id: string) => Promise<void>> | undefined;
  };

export function recordKind<
  const N extends RecordResource,
  T extends TenantDocument,
  I extends TSchema,
  P extends TSchema,
>({ record, ...options }: GivenKind<N, T, I, P>): RecordKind<T, I, P> {
  return { fields: record.fields, ...recordSource(record, options.store), ...options };
}
