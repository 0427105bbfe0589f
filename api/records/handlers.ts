import type { Static, TSchema, TObject } from 'typebox';
import { assertValidMeta } from '../../domain/free-form.ts';
import type { TenantDocument } from '../../store/connection/model.ts';
import { assertNamesVisible } from '../../application/auth/named-records.ts';
import { choosePermittedOrganization } from '../../application/auth/principal.ts';
import type { Principal } from '../../application/auth/principal.ts';
import type { HandlerResult, Api, ApiRequest, Handler } from '../request.ts';
import {
  buildCreatedResult,
  buildFoundResult,
  buildListResult,
  buildRecordResult,
  buildRemovedResult,
  recordTarget,
  withIfMatch,
  rejectDuplicate,
} from './if-match.ts';
import { changeFields, fillFields } from '../../schema/record.ts';
import type { Patch } from '../../store/queries/patch.ts';
import type { RecordBody, RecordKind } from './kind.ts';
import type { Bodies, RecordSource } from './resource.ts';
import { RESOURCES, collectNamedRecords, resourceRow, withArticle } from '../../domain/resources.ts';
import type { Operation, RecordResource } from '../../domain/resources.ts';
import { listOf } from '../../schema/kinds.ts';
import { route } from '../route.ts';
import type { AnnouncedEvent, Route } from '../route.ts';

/** See spec 4.1. */
interface RecordHandlers<I, P> {
  list: Handler<unknown>;
  get: Handler<unknown>;
  create: Handler<I>;
  update: Handler<P>;
  remove: Handler<unknown>;
}

export function listHandler<T>(
  source: Pick<RecordSource<T>, 'name' | 'present' | 'paths' | 'list'>,
): Handler<unknown> {
  return (request, api) => buildListResult(source, request, api);
}

export function getHandler<T>(source: Pick<RecordSource<T>, 'name' | 'present' | 'find'>): Handler<unknown> {
  return (request, api) => buildFoundResult(source, request, api);
}

function recordHandlers<T extends TenantDocument, I extends TSchema, P extends TSchema>(
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
  await assertNamesVisible(collectNamedRecords(kind.name, body), principal.reach);
  const organization = await choosePermittedOrganization(principal, named);
  const now = new Date(receivedAt);
  const record = {
    ...fillFields(kind.fields, body as object),
    ...(await kind.prepare?.(body, principal)),
    _id: ids.newId(),
    organization,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  } as unknown as T;
  await withUniqueValue(kind, { record, principal }, () => kind.store.insert(record));
  return buildCreatedResult(kind, record, api);
}

async function update<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
  request: ApiRequest<Static<P>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body } = request;
  await kind.check?.(body, request, api);
  const updated = await withIfMatch(request, recordTarget(kind, request), async (stored, seen) => {
    const { organization, meta } = body as RecordBody;
    if (meta) assertValidMeta(meta);
    await assertNamesVisible(collectNamedRecords(kind.name, body), principal.reach, () =>
      collectNamedRecords(kind.name, stored),
    );
    const patch = {
      ...changeFields(kind.fields, body as object),
      ...(await kind.prepare?.(body, principal)),
      ...(organization === undefined
        ? {}
        : { organization: await choosePermittedOrganization(principal, organization) }),
    } as Patch<T>;
    const record = { ...stored, ...patch };
    const change = () => kind.store.update(principal.reach, stored._id, patch, seen);
    return withUniqueValue(kind, { record, principal }, change);
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

function withUniqueValue<T extends TenantDocument, R>(
  { name, taken, find }: Pick<RecordKind<T, TSchema, TSchema>, 'name' | 'taken' | 'find'>,
  { record, principal: { reach } }: { record: T; principal: Principal },
  write: () => Promise<R>,
): Promise<R> {
  if (!taken) return write();
  const { path, message, findHolder } = taken;
  return rejectDuplicate(async () => {
    const id = await findHolder(record);
    const isVisible = id !== undefined && (await find(reach, id)) !== null;
    return { path, message, conflict: isVisible ? { resource: name, id } : undefined };
  }, write);
}

/** Differences of a route from the table of resources. */
interface Exception {
  summary?: string;
  /** Null: the event is published elsewhere. */
  announces?: null;
}

type Exceptions = Partial<Record<Operation, Exception>>;

export function kindRoutes<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
): Route[] {
  return buildRoutes(kind, recordHandlers(kind));
}

export function recordRoutes<T, I extends TSchema, P extends TSchema>(
  source: RecordSource<T, RecordResource> & Bodies<I, P>,
  changes: Omit<RecordHandlers<Static<I>, Static<P>>, 'list' | 'get'>,
  exceptions: Exceptions = {},
): Route[] {
  return buildRoutes(source, { list: listHandler(source), get: getHandler(source), ...changes }, exceptions);
}

function buildRoutes<I extends TSchema, P extends TSchema>(
  { name, schema, input, patch }: Bodies<I, P> & { name: RecordResource; schema: TObject },
  { list, get, create, update, remove }: RecordHandlers<Static<I>, Static<P>>,
  exceptions: Exceptions = {},
): Route[] {
  const { noun, self, secret } = resourceRow(name);
  const { scopes, event } = RESOURCES[name];
  const one = { answer: schema, ...(secret ? { secret } : {}) };
  const own = self ? { self } : {};
  const buildEventOption = (
    operation: 'create' | 'update' | 'remove',
    change: 'create' | 'update' | 'delete',
  ) =>
    exceptions[operation]?.announces === null
      ? {}
      : { announces: `${event.name}.${change}` satisfies AnnouncedEvent };
  const getSummary = (operation: Operation, usual: string) => exceptions[operation]?.summary ?? usual;
  const all = `/${name}` as const;
  const each = `/${name}/:id` as const;
  return [
    route(`GET ${all}`, scopes.list, getSummary('list', `List ${noun}s`), list, {
      ...one,
      answer: listOf(schema),
    }),
    route(`GET ${each}`, scopes.fetch, getSummary('fetch', `Fetch ${withArticle(noun)}`), get, {
      ...own,
      ...one,
    }),
    route(`POST ${all}`, scopes.create, getSummary('create', `Create ${withArticle(noun)}`), create, {
      body: input,
      creates: true,
      ...one,
      ...buildEventOption('create', 'create'),
    }),
    route(`PATCH ${each}`, scopes.update, getSummary('update', `Change ${withArticle(noun)}`), update, {
      ...own,
      body: patch,
      ...one,
      ...buildEventOption('update', 'update'),
    }),
    route(`DELETE ${each}`, scopes.remove, getSummary('remove', `Delete ${withArticle(noun)}`), remove, {
      ...buildEventOption('remove', 'delete'),
    }),
  ];
}
