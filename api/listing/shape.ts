import { parsePopulations } from '../../domain/query/population.ts';
import { assertKnownFields, applySelection, parseSelection, selects } from '../../domain/query/selection.ts';
import type { Population, Selection } from '../../domain/query/tree.ts';
import type { ResourceName } from '../../domain/resources.ts';
import { invalidRequest } from '../../domain/errors.ts';
import { includesScope } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { getPopulatableResource } from './catalog.ts';
import type { Body, PopulatableResource } from './catalog.ts';

/** See spec 9.5. */
export const SHAPE_PARAMETERS: readonly string[] = ['select', 'populate'];

const MAX_DEPTH = 3;

export interface Shape {
  selection?: Selection;
  derived: readonly string[];
  populations: Populated[];
}

export interface Populated {
  path: string;
  resource: PopulatableResource;
  shape: Shape;
}

/** Throws DomainError `invalid_request` for an invalid `select` or `populate`. */
export function parseShape(parameters: ReadonlyMap<string, string>, name: ResourceName, scope: Scope): Shape {
  const resource = getPopulatableResource(name);
  const [select, populate] = SHAPE_PARAMETERS.map((parameter) => parameters.get(parameter));
  return {
    ...(select === undefined ? {} : { selection: parseSelection(select, resource.fields) }),
    derived: resource.derived,
    populations:
      populate === undefined
        ? []
        : resolvePopulations(parsePopulations(populate), { resource, scope, depth: 1 }),
  };
}

export function includesField({ selection }: Shape, field: string): boolean {
  return selects(selection, field);
}

export function includesSecret({ populations }: Shape): boolean {
  return populations.some(({ resource, shape }) => resource.secret || includesSecret(shape));
}

export function shapeBody(body: Body, { selection, derived }: Shape): Body {
  return selection ? applySelection(body, selection, derived) : body;
}

interface PopulateScope {
  resource: PopulatableResource;
  scope: Scope;
  depth: number;
}

// `conversation` and `conversation.contact` become one nested population.
function resolvePopulations(populations: readonly Population[], within: PopulateScope): Populated[] {
  if (within.depth > MAX_DEPTH)
    throw invalidRequest('populate', `follows at most ${MAX_DEPTH} references in a row`);
  const groups = new Map<string, { own?: Population; inner: Population[] }>();
  for (const population of populations) {
    const path = findReference(population.path, within.resource);
    const group = groups.get(path) ?? { inner: [] };
    groups.set(path, group);
    if (population.path === path) group.own = population;
    else group.inner.push({ ...population, path: population.path.slice(path.length + 1) });
  }
  return [...groups].flatMap(([path, { own, inner }]) =>
    resolvePopulation({ path, fields: own?.fields ?? [], inner }, within),
  );
}

function findReference(path: string, { references }: PopulatableResource): string {
  const found = Object.keys(references)
    .filter((reference) => path === reference || path.startsWith(`${reference}.`))
    .sort((a, b) => b.length - a.length)[0];
  if (found === undefined)
    throw invalidRequest('populate', `"${path}" is not a field that refers to a record`);
  return found;
}

function resolvePopulation(
  { path, fields, inner }: Population & { inner: Population[] },
  { resource, scope, depth }: PopulateScope,
): Populated[] {
  const name = resource.references[path];
  if (name === undefined) return [];
  const target = getPopulatableResource(name);
  // An id that the caller may not resolve stays an id (spec 9.6).
  const readable = includesScope(scope, target.scope);
  const brief =
    !readable && target.brief && includesScope(scope, target.brief.scope) ? target.brief : undefined;
  if (!readable && !brief) return [];
  assertKnownFields(fields, target.fields, 'populate');
  if (brief) assertReadableFields(fields, brief.fields);
  const paths = fields.length > 0 ? fields : brief?.fields;
  return [
    {
      path,
      resource: target,
      shape: {
        ...(paths ? { selection: { kind: 'only', paths } } : {}),
        derived: target.derived,
        populations: resolvePopulations(inner, { resource: target, scope, depth: depth + 1 }),
      },
    },
  ];
}

function assertReadableFields(fields: readonly string[], readable: readonly string[]): void {
  const hidden = fields.find((field) => !readable.includes(field));
  if (hidden !== undefined) throw invalidRequest('populate', `"${hidden}" is not a field that you may read`);
}
