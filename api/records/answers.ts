import type { Resource } from './resource.ts';
import { notFound } from '../../domain/refusal.ts';
import type { ListQuery, Page } from '../../store/queries/listing.ts';
import { inSlices } from '../../store/queries/slices.ts';
import { listingAnswer, readListing, readShape, shapedAnswer } from '../listing/listing.ts';
import type { Paths } from '../listing/paths.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';

/** 200 with a record, or DomainError `not_found`. */
export function recordAnswer<T>({ what, present }: Resource<T>, record: T | null): Answer {
  if (!record) throw notFound(what);
  return { status: 200, body: present(record) };
}

/** 200 with a record in the shape that `select` and `populate` ask for (spec 2.3). */
export async function foundAnswer<T>(
  resource: Resource<T>,
  request: ApiRequest,
  find: () => Promise<T | null>,
  api: Api,
): Promise<Answer> {
  const shape = readShape(request, resource.path.slice(1));
  const { body } = recordAnswer(resource, await find());
  return shapedAnswer(request, api, { shape, body });
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
  request: ApiRequest,
  { api, paths, find }: { api: Api; paths: Paths; find: (query: ListQuery) => Promise<Page<T>> },
): Promise<Answer> {
  const listing = readListing(request, { name: path.slice(1), paths });
  return listingAnswer(request, api, {
    ...listing,
    path,
    async find(query) {
      const page = await find(query);
      return { page, bodies: await inSlices(page.records, present) };
    },
  });
}
