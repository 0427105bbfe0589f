import { listQueryOf } from '../../domain/query/list-query.ts';
import type { Paths } from '../../domain/query/paths.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import type { ListQuery, Page } from '../../store/listing.ts';
import { NO_STORE } from '../middleware/cache-control.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { referable } from './catalog.ts';
import type { Body } from './catalog.ts';
import { pageAnswer } from './page.ts';
import { parametersOf } from '../../domain/query/pairs.ts';
import { shapedBodies } from './populate.ts';
import { OF_SHAPE, shapeOf, showsSecret } from './shape.ts';
import type { Shape } from './shape.ts';

/** A list request that was read: which records, and how they are shown. */
export interface Listing {
  query: ListQuery;
  shape: Shape;
}

/**
 * Reads a list request for a resource (its name as in its path). Throws DomainError `invalid_request` for whatever is not understood (contract 9); parameters
 * in `besides` are the caller's to read.
 */
export function readListing(
  { querystring, principal }: ApiRequest,
  { name, paths, besides = [] }: { name: string; paths: Paths; besides?: readonly string[] },
): Listing {
  const parameters = parametersOf(querystring);
  const shape = shapeOf(parameters, name, principal.scope);
  const others = [...parameters].filter(
    ([parameter]) => !OF_SHAPE.includes(parameter) && !besides.includes(parameter),
  );
  return { query: listQueryOf(others, withIds(paths, name)), shape };
}

/** Reads how one record is to be shown; it takes no other parameters than `select` and `populate`. */
export function readShape({ querystring, principal }: ApiRequest, name: string): Shape {
  const parameters = parametersOf(querystring);
  const other = [...parameters.keys()].find((parameter) => !OF_SHAPE.includes(parameter));
  if (other !== undefined) throw invalidRequest(other, 'is not a parameter of this request');
  return shapeOf(parameters, name, principal.scope);
}

/** 200 with one body in the shape that was asked for. */
export async function shapedAnswer(
  { principal }: ApiRequest,
  { config }: Api,
  { shape, body }: { shape: Shape; body: unknown },
): Promise<Answer> {
  const viewer = { reach: principal.reach, publicUrl: config.publicUrl };
  const [shaped] = await shapedBodies([body as Body], shape, viewer);
  return { status: 200, body: shaped, headers: keepingOf(shape) };
}

/** 200 with a page of bodies in the shape that was asked for. `path` is below /v2. */
export async function listingAnswer(
  { principal, querystring }: ApiRequest,
  { config }: Api,
  { query, shape, page, bodies, path }: Listing & { page: Page<unknown>; bodies: unknown[]; path: string },
): Promise<Answer> {
  const { publicUrl } = config;
  const shaped = await shapedBodies(bodies as Body[], shape, { reach: principal.reach, publicUrl });
  const answer = pageAnswer(page, shaped, { url: `${publicUrl}/v2${path}`, querystring, query });
  return { ...answer, headers: { ...answer.headers, ...keepingOf(shape) } };
}

function keepingOf(shape: Shape): Record<string, string> {
  return showsSecret(shape) ? NO_STORE : {};
}

const marked = new WeakMap<Paths, Paths>();

// A field that refers to a record holds ids, whatever its schema says of their form.
function withIds(paths: Paths, name: string): Paths {
  const known = marked.get(paths);
  if (known) return known;
  const references = Object.keys(referable(name)?.references ?? {});
  const all: Paths = new Map(
    [...paths].map(([path, field]) => [path, references.includes(path) ? { ...field, kind: 'id' } : field]),
  );
  marked.set(paths, all);
  return all;
}
