import { parseListQuery, MAX_OFFSET } from '../../domain/query/list-query.ts';
import type { Paths } from '../../domain/query/paths.ts';
import type { Relation } from '../../domain/query/tree.ts';
import type { ResourceName } from '../../domain/resources.ts';
import type { ListQuery, Page } from '../../store/queries/listing.ts';
import { inSlices } from '../../store/queries/slices.ts';
import { assertKnownParameters } from '../request.ts';
import { JSON_TYPE } from '../pipeline/response.ts';
import { NO_STORE } from '../middleware/represent.ts';
import type { HandlerResult, Api, ApiRequest } from '../request.ts';
import { getPopulatableResource } from './catalog.ts';
import type { Body } from './catalog.ts';
import { loadCallerPath } from './line.ts';
import { parseParameters } from '../../domain/query/query-string.ts';
import { shapeBodies } from './populate.ts';
import { SHAPE_PARAMETERS, parseShape, includesSecret } from './shape.ts';
import type { Shape } from './shape.ts';

export interface Listing {
  query: ListQuery;
  shape: Shape;
}

/** Ignores the parameters in `besides` (spec 9.1). */
export function parseListing(
  { querystring, principal }: ApiRequest,
  { name, paths, besides = [] }: { name: ResourceName; paths: Paths; besides?: readonly string[] },
): Listing {
  const parameters = parseParameters(querystring);
  const shape = parseShape(parameters, name, principal.scope);
  const others = [...parameters].filter(
    ([parameter]) => !SHAPE_PARAMETERS.includes(parameter) && !besides.includes(parameter),
  );
  return { query: parseListQuery(others, withIds(paths, name)), shape };
}

export function parseRecordShape({ querystring, principal }: ApiRequest, name: ResourceName): Shape {
  const parameters = parseParameters(querystring);
  assertKnownParameters(parameters.keys(), SHAPE_PARAMETERS);
  return parseShape(parameters, name, principal.scope);
}

export async function buildShapedResult(
  { principal }: ApiRequest,
  { config, lists }: Api,
  { shape, body }: { shape: Shape; body: unknown },
): Promise<HandlerResult> {
  const viewer = { reach: principal.reach, publicUrl: config.publicUrl };
  const shaped = (awaitLargeSlot: () => Promise<void>) =>
    shapeBodies([body as Body], shape, { ...viewer, awaitLargeSlot });
  const isPlain = shape.populations.length === 0;
  const [only] = isPlain
    ? await shaped(() => Promise.resolve())
    : await lists.run(await loadCallerPath(principal), ({ awaitLargeSlot }) => shaped(awaitLargeSlot));
  return { status: 200, body: only, headers: buildCacheHeaders(shape) };
}

export interface FoundPage {
  page: Page<unknown>;
  bodies: unknown[];
}

interface PageOptions extends Listing, Partial<Pick<ListedPage, 'unique'>> {
  path: string;
  find: (query: ListQuery) => Promise<FoundPage>;
}

/** `path` is below /v2. `find` may run again, with a longer timeout. */
export async function buildPageResult(
  { principal, querystring }: ApiRequest,
  { config, lists }: Api,
  { query, shape, path, unique = ['id'], find }: PageOptions,
): Promise<HandlerResult> {
  const { publicUrl } = config;
  return lists.run(await loadCallerPath(principal), async ({ withinMs, awaitLargeSlot }) => {
    const { page, bodies } = await find({ ...query, withinMs });
    const viewer = { reach: principal.reach, publicUrl, awaitLargeSlot };
    const shaped = await shapeBodies(bodies as Body[], shape, viewer);
    const listed = { url: `${publicUrl}/v2${path}`, querystring, query, unique };
    const headers = { ...buildPagingHeaders(page, shaped.length, listed), ...buildCacheHeaders(shape) };
    return {
      status: 200,
      headers: { 'Content-Type': JSON_TYPE, ...headers },
      body: await serializeList(shaped),
    };
  });
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

// Serializing takes as long as reading, hence the slices. A string would take up to six times the
// memory of a Buffer.
async function serializeList(bodies: readonly Body[]): Promise<Buffer> {
  const records = await inSlices(bodies, (body) => Buffer.from(JSON.stringify(body)));
  const parts = records.flatMap((record, at) => (at === 0 ? [record] : [COMMA, record]));
  return Buffer.concat([OPEN, ...parts, CLOSE]);
}

function buildCacheHeaders(shape: Shape): Record<string, string> {
  return includesSecret(shape) ? NO_STORE : {};
}

const pathsWithIds = new WeakMap<Paths, Paths>();

// References without the format `id` hold ids, too.
function withIds(paths: Paths, name: ResourceName): Paths {
  const known = pathsWithIds.get(paths);
  if (known) return known;
  const references = Object.keys(getPopulatableResource(name).references);
  const all: Paths = new Map(
    [...paths].map(([path, field]) => [path, references.includes(path) ? { ...field, kind: 'id' } : field]),
  );
  pathsWithIds.set(paths, all);
  return all;
}

interface ListedPage {
  /** Absolute, without a query. */
  url: string;
  querystring: string;
  query: ListQuery;
  /** Fields of which no two records of the list have the same value. */
  unique: readonly string[];
}

/** See spec 9.7. */
function buildPagingHeaders(page: Page<unknown>, shown: number, listed: ListedPage): Record<string, string> {
  const { limit, offset } = listed.query;
  const link = buildLinkHeader(page, listed);
  return {
    'X-Total': String(page.total),
    'X-Total-Pages': String(Math.ceil(page.total / limit)),
    'X-Per-Page': String(limit),
    'X-Page': String(page.total === 0 ? 1 : Math.floor(offset / limit) + 1),
    'X-Range': shown === 0 ? '*' : `${offset}-${offset + shown - 1}`,
    ...(link === '' ? {} : { Link: link }),
  };
}

function buildLinkHeader({ total, records }: Page<unknown>, listed: ListedPage): string {
  const { url, querystring, query } = listed;
  const { limit, offset } = query;
  const lastOffset = Math.max(0, Math.floor((total - 1) / limit) * limit);
  const at = (target: number) => ({ offset: String(target) });
  const links: [string, Record<string, string>][] = [];
  if (offset > 0) links.push(['first', at(0)], ['prev', at(Math.max(0, offset - limit))]);
  if (offset + limit < total) links.push(['next', buildNextParameters(records.at(-1), listed)]);
  if (offset + limit < total && lastOffset <= MAX_OFFSET) links.push(['last', at(lastOffset)]);
  return links
    .map(([rel, changed]) => `<${url}?${withParameters(querystring, changed)}>; rel="${rel}"`)
    .join(', ');
}

function withParameters(querystring: string, changed: Readonly<Record<string, string>>): string {
  const parameters = parseParameters(querystring);
  for (const [name, value] of Object.entries(changed)) parameters.set(name, value);
  return [...parameters].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

/**
 * Beyond the largest offset, a list in a unique order continues behind its last record. Other lists
 * get an address that is refused with the reason: a caller who follows `next` never takes a part
 * of the list for all of it.
 */
function buildNextParameters(last: unknown, { query, unique }: ListedPage): Record<string, string> {
  const offset = query.offset + query.limit;
  const behind = offset > MAX_OFFSET ? buildBehind(last, { query, unique }) : null;
  return behind ?? { offset: String(offset) };
}

const SIGNS: Readonly<Record<Relation, string>> = {
  greater: '>',
  'greater or equal': '>=',
  less: '<',
  'less or equal': '<=',
};

function buildBehind(
  last: unknown,
  { query: { conditions, sort }, unique }: Pick<ListedPage, 'query' | 'unique'>,
): Record<string, string> | null {
  const { path, descending } = sort[0] ?? { path: 'id', descending: false };
  const value = (last as Record<string, unknown> | undefined)?.[path === 'id' ? '_id' : path];
  const others = conditions.filter((condition) => condition.path === path);
  const bounds = others.flatMap((condition) => (condition.is === 'within' ? condition.bounds : []));
  const isOnlyBounds = others.every(({ is }) => is === 'within');
  const isKey = typeof value === 'string' || typeof value === 'number';
  if (!unique.includes(path) || !isKey || !isOnlyBounds) return null;
  const passed: Relation = descending ? 'less' : 'greater';
  const kept = bounds.filter(({ relation }) => !relation.startsWith(passed));
  const whole = [{ relation: passed, value }, ...kept];
  return {
    sort: descending ? `-${path}` : path,
    offset: '0',
    [path]: whole.map(({ relation, value }) => `${SIGNS[relation]}${String(value)}`).join(','),
  };
}
