import { parseParameters } from '../../domain/query/pairs.ts';
import { notFound } from '../../domain/refusal.ts';
import { withIdentifiers } from '../../application/posting/identifier-conditions.ts';
import { inSlices } from '../../store/queries/slices.ts';
import { buildPageResult, parseListing, parseRecordShape, buildShapedResult } from '../listing/listing.ts';
import type { HandlerResult, Api, ApiRequest } from '../request.ts';
import { describeResource } from './resource.ts';
import type { RecordSource, Resource } from './resource.ts';

/** 200 with a record, or DomainError `not_found`. */
export function buildRecordResult<T>(resource: Resource<T>, record: T | null): HandlerResult {
  if (!record) throw notFound(describeResource(resource));
  return { status: 200, body: resource.present(record) };
}

/**
 * 200 with the record of the path, in the shape that `select` and `populate` ask for (spec 2.3), or
 * DomainError `not_found`.
 */
export async function buildFoundResult<T>(
  source: Pick<RecordSource<T>, 'name' | 'present' | 'find'>,
  request: ApiRequest,
  api: Api,
): Promise<HandlerResult> {
  const shape = parseRecordShape(request, source.name);
  const { body } = buildRecordResult(source, await source.find(request.principal.reach, request.id));
  return buildShapedResult(request, api, { shape, body });
}

/** 201 with a new record and its Location. */
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

/** 204 after a removal, or DomainError `not_found` where there was nothing. */
export function buildRemovedResult(resource: Pick<Resource<never>, 'name'>, removed: boolean): HandlerResult {
  if (!removed) throw notFound(describeResource(resource));
  return { status: 204 };
}

/** 200 with a page of records. */
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
