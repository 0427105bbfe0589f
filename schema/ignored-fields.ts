import type { TSchema } from 'typebox';
import { didYouMean } from '../domain/suggestion.ts';

/** Bound on reported fields (spec 2). */
export const MAX_NAMED = 20;
/** The report must stay cheap. */
const MAX_SEARCHED = 10_000;

interface FieldSchema {
  type?: string;
  properties?: Record<string, FieldSchema>;
  patternProperties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
}

type Path = readonly (string | number)[];

interface FieldSearch {
  found: Path[];
  left: number;
}

/** Returns paths of unknown fields in body order (spec 2). */
export function ignoredFields(schema: TSchema, value: unknown): Path[] {
  const search: FieldSearch = { found: [], left: MAX_SEARCHED };
  searchValue(schema, value, [], search);
  return search.found;
}

function searchValue(shape: FieldSchema, value: unknown, path: Path, search: FieldSearch): void {
  if (typeof value !== 'object' || value === null) return;
  const type = Array.isArray(value) ? 'array' : 'object';
  const known = shape.anyOf?.find((one) => one.type === type) ?? shape;
  if (Array.isArray(value)) searchMembers(known, value, path, search);
  else searchFields(known, value as Record<string, unknown>, path, search);
}

function searchMembers({ items }: FieldSchema, list: unknown[], path: Path, search: FieldSearch): void {
  if (!items) return;
  for (let at = 0; at < list.length && canContinue(search); at++)
    searchValue(items, list[at], [...path, at], search);
}

function searchFields(
  { properties, patternProperties }: FieldSchema,
  value: Record<string, unknown>,
  path: Path,
  search: FieldSearch,
): void {
  const [inner] = Object.values(patternProperties ?? {});
  if (!properties && !inner?.properties) return;
  for (const name in value) {
    if (!canContinue(search)) return;
    const known = properties ? ownValue(properties, name) : inner;
    if (known) searchValue(known, value[name], [...path, name], search);
    else search.found.push([...path, name]);
  }
}

function canContinue(search: FieldSearch): boolean {
  search.left -= 1;
  return search.left >= 0 && search.found.length < MAX_NAMED;
}

function ownValue(properties: Record<string, FieldSchema>, name: string): FieldSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function listSiblingFields(schema: TSchema, path: Path): string[] {
  let shape: FieldSchema | undefined = schema;
  for (const step of path.slice(0, -1)) {
    const known: FieldSchema | undefined = selectVariant(
      shape,
      typeof step === 'number' ? 'array' : 'object',
    );
    const [inner] = Object.values(known?.patternProperties ?? {});
    shape = typeof step === 'number' ? known?.items : (ownValue(known?.properties ?? {}, step) ?? inner);
  }
  return Object.keys(selectVariant(shape, 'object')?.properties ?? {});
}

const MAX_DESCRIBED = 5;
const MAX_STEP_LENGTH = 64;
const MAX_LISTED = 24;

/** Returns each ignored field with its probable name: `messages.0.txt: is not accepted here; …`. */
export function describeIgnoredFields(schema: TSchema, value: unknown): string[] {
  return ignoredFields(schema, value)
    .slice(0, MAX_DESCRIBED)
    .map((path) => {
      const place = path.map((step) => String(step).slice(0, MAX_STEP_LENGTH)).join('.');
      return `${place}: ${notAccepted(schema, path)}`;
    });
}

/** Returns why a field is ignored, with the field that was probably meant, or all fields. */
export function notAccepted(schema: TSchema | undefined, path: Path): string {
  const names = schema ? listSiblingFields(schema, path) : [];
  const probable = didYouMean(String(path.at(-1)), names);
  const isShort = names.length > 0 && names.length <= MAX_LISTED;
  return `is not accepted here${probable || (isShort ? `; accepted are ${names.join(', ')}` : '')}`;
}

function selectVariant(shape: FieldSchema | undefined, type: string): FieldSchema | undefined {
  return shape?.anyOf?.find((one) => one.type === type) ?? shape;
}
