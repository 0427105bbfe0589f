import type { TSchema } from 'typebox';

/** As many are named (spec 2). */
export const MAX_NAMED = 20;
/**
 * As many values of a body are looked at: to name them is a service to people who mistype, and not
 * worth more time.
 */
const MAX_LOOKED_AT = 10_000;

/** JSON Schema, as far as bodies are described in it. */
interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

type Path = readonly (string | number)[];

interface Search {
  found: Path[];
  /** How many more values are looked at. */
  left: number;
}

/**
 * The fields of a parsed body that its schema does not know, which are ignored (spec 2): the steps
 * to each, in the order of the body; members of a list are steps from 0. At most 20, and none
 * behind the first 10,000 values: however large the body, it costs about the same.
 */
export function ignoredFields(schema: TSchema, value: unknown): Path[] {
  const search: Search = { found: [], left: MAX_LOOKED_AT };
  look(schema, value, [], search);
  return search.found;
}

function look(shape: Shape, value: unknown, path: Path, search: Search): void {
  if (typeof value !== 'object' || value === null) return;
  const type = Array.isArray(value) ? 'array' : 'object';
  const known = shape.anyOf?.find((one) => one.type === type) ?? shape;
  if (Array.isArray(value)) lookAtMembers(known, value, path, search);
  else lookAtFields(known, value as Record<string, unknown>, path, search);
}

function lookAtMembers({ items }: Shape, list: unknown[], path: Path, search: Search): void {
  if (!items) return;
  for (let at = 0; at < list.length && goesOn(search); at++) look(items, list[at], [...path, at], search);
}

function lookAtFields(
  { properties, patternProperties }: Shape,
  value: Record<string, unknown>,
  path: Path,
  search: Search,
): void {
  const [inner] = Object.values(patternProperties ?? {});
  // What is free-form holds whatever the caller wants.
  if (!properties && !inner?.properties) return;
  for (const name in value) {
    if (!goesOn(search)) return;
    const known = properties ? ownValue(properties, name) : inner;
    if (known) look(known, value[name], [...path, name], search);
    else search.found.push([...path, name]);
  }
}

function goesOn(search: Search): boolean {
  search.left -= 1;
  return search.left >= 0 && search.found.length < MAX_NAMED;
}

function ownValue(properties: Record<string, Shape>, name: string): Shape | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The fields that the schema knows where the path of an ignored one leads. */
export function knownBeside(schema: TSchema, path: Path): string[] {
  let shape: Shape | undefined = schema;
  for (const step of path.slice(0, -1)) {
    const known: Shape | undefined = formOf(shape, typeof step === 'number' ? 'array' : 'object');
    const [inner] = Object.values(known?.patternProperties ?? {});
    shape = typeof step === 'number' ? known?.items : (ownValue(known?.properties ?? {}, step) ?? inner);
  }
  return Object.keys(formOf(shape, 'object')?.properties ?? {});
}

function formOf(shape: Shape | undefined, type: string): Shape | undefined {
  return shape?.anyOf?.find((one) => one.type === type) ?? shape;
}
