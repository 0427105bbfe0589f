import type { Static, TSchema } from 'typebox';
import { assertValidMeta } from '../../domain/free-form.ts';
import type { TenantDocument } from '../../store/records/tenant-records.ts';
import { choosePermittedOrganization } from '../../application/auth/permitted-organization.ts';
import type { HandlerResult, Api, ApiRequest, Handler } from '../request.ts';
import {
  buildCreatedResult,
  buildFoundResult,
  buildListResult,
  buildRecordResult,
  buildRemovedResult,
} from './answers.ts';
import type { RecordBody, RecordKind } from './kind.ts';
import type { RecordSource } from './resource.ts';
import { recordTarget, withIfMatch } from './unless-changed.ts';
import { rejectDuplicate } from './unless-taken.ts';

/** The handlers of the five requests that every resource answers (spec 4.1). */
export interface RecordHandlers<I, P> {
  list: Handler<unknown>;
  get: Handler<unknown>;
  create: Handler<I>;
  update: Handler<P>;
  remove: Handler<unknown>;
}

/** Answers with a page of the records within the caller's reach. */
export function listHandler<T>(
  source: Pick<RecordSource<T>, 'name' | 'present' | 'paths' | 'list'>,
): Handler<unknown> {
  return (request, api) => buildListResult(source, request, api);
}

/** Answers with one record within the caller's reach. */
export function getHandler<T>(source: Pick<RecordSource<T>, 'name' | 'present' | 'find'>): Handler<unknown> {
  return (request, api) => buildFoundResult(source, request, api);
}

/**
 * Handlers for a kind of records. Nobody sees, makes or moves a record outside their reach (spec
 * 4.1).
 */
export function recordHandlers<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
): RecordHandlers<Static<I>, Static<P>> {
  return {
    list: listHandler(kind),
    get: getHandler(kind),
    create: (request, api) => create(kind, request, api),
    update: (request, api) => update(kind, request, api),
    remove: (request) => remove(kind, request),
  };
}

async function create<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
  request: ApiRequest<Static<I>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { meta, organization: named } = body as RecordBody;
  await kind.check?.(body, request, api);
  assertValidMeta(meta ?? {});
  const organization = await choosePermittedOrganization(principal, named);
  const now = new Date(receivedAt);
  const record = {
    ...(await kind.draft(body, principal)),
    ...(kind.paths.has('meta') ? { meta: meta ?? {} } : {}),
    _id: ids.newId(),
    organization,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  } as unknown as T;
  await withUniqueValue(kind, () => kind.store.insert(record));
  return buildCreatedResult(kind, record, api);
}

async function update<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
  request: ApiRequest<Static<P>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body } = request;
  await kind.check?.(body, request, api);
  const updated = await withIfMatch(request, recordTarget(kind, request), async ({ _id }, seen) => {
    const { organization, meta } = body as RecordBody;
    if (meta) assertValidMeta(meta);
    const patch = {
      ...(await kind.change(body, principal)),
      ...(meta === undefined ? {} : { meta: meta ?? {} }),
      ...(organization === undefined
        ? {}
        : { organization: await choosePermittedOrganization(principal, organization) }),
    };
    return withUniqueValue(kind, () => kind.store.update(principal.reach, _id, patch, seen));
  });
  return buildRecordResult(kind, updated);
}

async function remove<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
  request: ApiRequest,
): Promise<HandlerResult> {
  const { reach } = request.principal;
  const removed = await withIfMatch(request, recordTarget(kind, request), ({ _id }, seen) =>
    kind.store.remove(reach, _id, seen),
  );
  if (removed) await Promise.all(Object.values(kind.ending ?? {}).map((end) => end(removed._id)));
  return buildRemovedResult(kind, removed !== null);
}

function withUniqueValue<R>(
  { taken }: { taken?: { path: string; message: string } },
  write: () => Promise<R>,
): Promise<R> {
  if (!taken) return write();
  return rejectDuplicate({ message: `${taken.path}: ${taken.message}`, detail: taken }, write);
}
