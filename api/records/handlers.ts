import type { Principal } from '../../auth/principal.ts';
import { refuseMeta } from '../../domain/free-form.ts';
import type { Meta } from '../../domain/messages/message.ts';
import type { ListQuery } from '../../store/queries/listing.ts';
import type { Patch } from '../../store/queries/patch.ts';
import type { TenantDocument, TenantRecords } from '../../store/records/tenant-records.ts';
import type { Paths } from '../listing/paths.ts';
import { permittedOrganization } from '../../auth/permitted-organization.ts';
import type { Answer, Api, ApiRequest, Handler } from '../request.ts';
import { createdAnswer, foundAnswer, listAnswer, recordAnswer, removedAnswer } from './answers.ts';
import type { Resource } from './resource.ts';
import { unlessChanged } from './unless-changed.ts';
import { unlessTaken } from './unless-taken.ts';

interface Body {
  organization?: string | undefined;
  meta?: Meta | null | undefined;
}

/** A resource whose records are stored as callers say them, within an organization. */
export interface RecordKind<T extends TenantDocument, I extends Body, P extends Body> {
  resource: Resource<T>;
  paths: Paths;
  store: TenantRecords<T>;
  /** What a new record holds besides what every record has. May refuse with a DomainError. */
  draft: (body: I, principal: Principal) => Own<T> | Promise<Own<T>>;
  /** What a PATCH changes besides `meta` and the organization. May refuse with a DomainError. */
  change: (body: P, principal: Principal) => Patch<T> | Promise<Patch<T>>;
  /** What is said (409) when a unique value is taken. */
  taken?: { path: string; message: string };
  /** What has to follow a removal. */
  removed?: (record: T) => Promise<void>;
}

type Own<T> = Omit<T, keyof TenantDocument | 'meta'>;

/** The handlers of the five requests that every resource answers (spec 4.1). */
export interface RecordHandlers<I, P> {
  list: Handler<unknown>;
  get: Handler<unknown>;
  create: Handler<I>;
  update: Handler<P>;
  remove: Handler<unknown>;
}

/**
 * Handlers for a kind of records. Nobody sees, makes or moves a record outside their reach (spec
 * 4.1).
 */
export function recordHandlers<T extends TenantDocument, I extends Body, P extends Body>(
  kind: RecordKind<T, I, P>,
): RecordHandlers<I, P> {
  const { resource, paths, store } = kind;
  return {
    list: (request, api) => {
      const find = (query: ListQuery) => store.list(request.principal.reach, query);
      return listAnswer(resource, request, { api, paths, find });
    },
    get: (request, api) =>
      foundAnswer(resource, request, () => store.find(request.principal.reach, request.id), api),
    create: (request, api) => create(kind, request, api),
    update: (request) => update(kind, request),
    remove: async (request) => {
      const { reach } = request.principal;
      const find = () => store.find(reach, request.id);
      const remove = (record: T, seen?: T) => store.remove(reach, record._id, seen);
      const record = await unlessChanged(request, { ...resource, find }, remove);
      if (record) await kind.removed?.(record);
      return removedAnswer(resource, record !== null);
    },
  };
}

async function create<T extends TenantDocument, I extends Body, P extends Body>(
  kind: RecordKind<T, I, P>,
  { principal, body, mint, receivedAt }: ApiRequest<I>,
  api: Api,
): Promise<Answer> {
  refuseMeta(body.meta ?? {});
  const organization = await permittedOrganization(principal, body.organization);
  const now = new Date(receivedAt);
  const record = {
    ...(await kind.draft(body, principal)),
    ...(kind.paths.has('meta') ? { meta: body.meta ?? {} } : {}),
    _id: mint.id(),
    organization,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  } as unknown as T;
  await unique(kind, () => kind.store.insert(record));
  return createdAnswer(kind.resource, record, api);
}

async function update<T extends TenantDocument, I extends Body, P extends Body>(
  kind: RecordKind<T, I, P>,
  request: ApiRequest<P>,
): Promise<Answer> {
  const { principal, id, body } = request;
  const { resource, store } = kind;
  const find = () => store.find(principal.reach, id);
  const updated = await unlessChanged(request, { ...resource, find }, async ({ _id }, seen) => {
    const { organization, meta } = body;
    if (meta) refuseMeta(meta);
    const patch = {
      ...(await kind.change(body, principal)),
      ...(meta === undefined ? {} : { meta: meta ?? {} }),
      ...(organization === undefined
        ? {}
        : { organization: await permittedOrganization(principal, organization) }),
    };
    return unique(kind, () => store.update(principal.reach, _id, patch, seen));
  });
  return recordAnswer(resource, updated);
}

function unique<R>(
  { taken }: { taken?: { path: string; message: string } },
  write: () => Promise<R>,
): Promise<R> {
  if (!taken) return write();
  return unlessTaken({ message: `${taken.path}: ${taken.message}`, detail: taken }, write);
}
