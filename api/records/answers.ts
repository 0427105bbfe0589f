import { notFound } from '../../domain/refusal.ts';
import type { ListQuery, Page } from '../../store/listing.ts';
import { pageAnswer } from '../listing/page.ts';
import { parseListQuery, refuseParameters } from '../listing/parse.ts';
import type { Paths } from '../listing/paths.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';

/** How records of a resource are called, found and shown. */
export interface Resource<T> {
  /** As in `/users`. */
  path: string;
  /** As in "The user". */
  what: string;
  present: (record: T) => unknown;
}

/** 200 with a record, or DomainError `not_found`. */
export function recordAnswer<T>({ what, present }: Resource<T>, record: T | null): Answer {
  if (!record) throw notFound(what);
  return { status: 200, body: present(record) };
}

/** 200 with a record that a request without query asked for. */
export async function foundAnswer<T>(
  resource: Resource<T>,
  { querystring }: ApiRequest,
  find: () => Promise<T | null>,
): Promise<Answer> {
  refuseParameters(querystring);
  return recordAnswer(resource, await find());
}

/** 201 with a new record and its Location. */
export function createdAnswer<T extends { _id: string }>(
  { path, present }: Resource<T>,
  record: T,
  { config }: Api,
): Answer {
  return {
    status: 201,
    body: present(record),
    headers: { Location: `${config.publicUrl}/v2${path}/${record._id}` },
  };
}

/** 204 after a removal, or DomainError `not_found` where there was nothing. */
export function removedAnswer({ what }: Pick<Resource<never>, 'what'>, removed: boolean): Answer {
  if (!removed) throw notFound(what);
  return { status: 204 };
}

/** 200 with a page of records. */
export async function listAnswer<T>(
  { path, present }: Resource<T>,
  { querystring }: ApiRequest,
  { api, paths, find }: { api: Api; paths: Paths; find: (query: ListQuery) => Promise<Page<T>> },
): Promise<Answer> {
  const query = parseListQuery(querystring, paths);
  const page = await find(query);
  const url = `${api.config.publicUrl}/v2${path}`;
  return pageAnswer(page, page.records.map(present), { url, querystring, query });
}
