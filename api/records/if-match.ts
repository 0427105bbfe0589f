import { DomainError, notFound, preconditionFailed, unavailable } from '../../domain/errors.ts';
import { matchesIfMatch, serializeWithEtag } from '../pipeline/response.ts';
import type { ApiRequest, HandlerResult, Api } from '../request.ts';
import { describeResource } from './resource.ts';
import type { RecordSource, Resource } from './resource.ts';
import type { ConflictingRecord, ErrorDetail } from '../../domain/errors.ts';
import { isDuplicateKey } from '../../store/queries/insert.ts';
import { parseParameters } from '../../domain/query/query-string.ts';
import { withIdentifiers } from '../../application/posting/identifier-conditions.ts';
import { inSlices } from '../../store/queries/slices.ts';
import { buildPageResult, parseListing, parseRecordShape, buildShapedResult } from '../listing/listing.ts';

/**
 * With `If-Match`, concurrent changes of fields that the ETag does not cover cause further tries.
 */
const MAX_TRIES = 20;

export interface EditTarget<T> {
  /** For error messages, such as "The user". */
  what: string;
  find: () => Promise<T | null>;
  present: (record: T) => unknown;
}

export function recordTarget<T>(
  source: Pick<RecordSource<T>, 'name' | 'present' | 'find'>,
  { principal, id }: Pick<ApiRequest, 'principal' | 'id'>,
): EditTarget<T> {
  const { present } = source;
  return { what: describeResource(source), present, find: () => source.find(principal.reach, id) };
}

/**
 * Changes a record if `If-Match` allows it (spec 2). With `If-Match`, `change` must write only if
 * the stored record equals `seen`. Otherwise `change` returns null or throws `precondition_failed`,
 * and is called again. Throws DomainError `not_found` or `precondition_failed`.
 */
export async function withIfMatch<T, R>(
  { ifMatch }: Pick<ApiRequest, 'ifMatch'>,
  { find, what, present }: EditTarget<T>,
  change: (record: T, seen: T | undefined) => Promise<R | null>,
): Promise<R | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const record = await find();
    if (!record) throw notFound(what);
    if (ifMatch === '') return change(record, undefined);
    const { etag } = serializeWithEtag((await present(record)) as object);
    if (!matchesIfMatch(ifMatch, etag)) throw preconditionFailed();
    const changed = await change(record, record).catch(nullIfChanged);
    if (changed !== null) return changed;
  }
  throw unavailable();
}

function nullIfChanged(error: unknown): null {
  if (error instanceof DomainError && error.code === 'precondition_failed') return null;
  throw error;
}

export interface Duplicate extends ErrorDetail {
  /** The record that has the value. Absent if the caller may not see the record. */
  conflict?: ConflictingRecord | undefined;
}

/** Calls `describe` after a duplicate-key error (spec 2.4). */
export async function rejectDuplicate<R>(
  describe: () => Promise<Duplicate>,
  write: () => Promise<R>,
): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw duplicateError(await describe());
  }
}

export function duplicateError({ conflict, path, message }: Duplicate): DomainError {
  const details = [{ path, message }];
  return new DomainError('conflict', `${path}: ${message}`, { details, conflict });
}

export function buildRecordResult<T>(resource: Resource<T>, record: T | null): HandlerResult {
  if (!record) throw notFound(describeResource(resource));
  return { status: 200, body: resource.present(record) };
}

export async function buildFoundResult<T>(
  source: Pick<RecordSource<T>, 'name' | 'present' | 'find'>,
  request: ApiRequest,
  api: Api,
): Promise<HandlerResult> {
  const shape = parseRecordShape(request, source.name);
  const { body } = buildRecordResult(source, await source.find(request.principal.reach, request.id));
  return buildShapedResult(request, api, { shape, body });
}

export function buildCreatedResult<T extends { _id: string }>(
  { name, present }: Resource<T>,
  record: T,
  { config }: Api,
): HandlerResult {
  return {
    status: 201,
    body: present(record),
    headers: { Location: `${config.publicUrl}/v2/${name}/${record._id}` },
  };
}

export function buildRemovedResult(resource: Pick<Resource<never>, 'name'>, removed: boolean): HandlerResult {
  if (!removed) throw notFound(describeResource(resource));
  return { status: 204 };
}

export async function buildListResult<T>(
  { name, present, paths, list }: Pick<RecordSource<T>, 'name' | 'present' | 'paths' | 'list'>,
  request: ApiRequest,
  api: Api,
): Promise<HandlerResult> {
  const { query, shape } = parseListing(request, { name, paths });
  const conditions = await withIdentifiers(query.conditions, {
    resource: name,
    organization: request.principal.organization,
    written: parseParameters(request.querystring),
  });
  return buildPageResult(request, api, {
    query: { ...query, conditions },
    shape,
    path: `/${name}`,
    async find(query) {
      const page = await list(request.principal.reach, query);
      return { page, bodies: await inSlices(page.records, present) };
    },
  });
}
