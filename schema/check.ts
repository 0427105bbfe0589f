import type { TSchema } from 'typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isBlank, NO_VISIBLE_CHARACTER } from '../domain/characters.ts';
import { DomainError } from '../domain/errors.ts';
import { ID } from '../domain/id.ts';
import type { ErrorDetail } from '../domain/errors.ts';
import { didYouMean, suggestionFor } from '../domain/suggestion.ts';

/** Collecting all errors of a larger body costs too much. */
const MAX_VALUES_SEARCHED = 1_000;

const BOUNDS = ['maxItems', 'maxProperties'];

// Compiled on first use (docs/decisions/start-and-rest.md).
const firstFault = once(() => validator({ allErrors: false }));
const allFaults = once(() => validator({ allErrors: true }));

/**
 * Returns the known fields. Throws DomainError `invalid_request` with up to 20 errors, or with one
 * for a large body.
 */
export type BodyCheck = (value: unknown) => unknown;

export function bodyCheck(schema: TSchema, kind: 'whole' | 'patch'): BodyCheck {
  const admits = once(() => firstFault().compile(schema));
  const search = once(() => allFaults().compile(schema));
  const pickPart = kind === 'patch' ? pickKnownPatch : pickKnown;
  const findFaults = (known: unknown): ErrorObject[] => {
    const first = admits().errors ?? [];
    const overfull = first.some(({ keyword }) => BOUNDS.includes(keyword));
    if (overfull || !hasAtMost(MAX_VALUES_SEARCHED, known)) return first;
    search()(known);
    return search().errors ?? [];
  };
  return (value) => {
    const known = pickPart(schema, value);
    if (admits()(known)) return known;
    const details = buildDetails(findFaults(known), value);
    const [first] = details;
    const message = first ? `${first.path}: ${first.message}` : 'The body is invalid.';
    throw new DomainError('invalid_request', message, { details });
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function validator({ allErrors }: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ allErrors, strict: true, allowUnionTypes: true, verbose: true });
  addFormats.default(ajv);
  ajv.addFormat('id', ID);
  ajv.addFormat('visible', { type: 'string', validate: (text: string) => text === '' || !isBlank(text) });
  return ajv;
}

function hasAtMost(max: number, value: unknown): boolean {
  const open: unknown[] = [value];
  let values = 0;
  while (open.length > 0 && values <= max) {
    const one = open.pop();
    values += 1;
    if (typeof one === 'object' && one !== null)
      open.push(...(Object.values(one) as unknown[]).slice(0, max));
  }
  return values <= max;
}

interface PartSchema {
  type?: string;
  properties?: Record<string, PartSchema>;
  required?: readonly string[];
  patternProperties?: Record<string, PartSchema>;
  items?: PartSchema;
  maxItems?: number;
  anyOf?: PartSchema[];
}

/** Drops unknown fields and nulls of optional fields (spec 2.2). Keeps too long lists whole. */
function pickKnown(schema: TSchema, value: unknown): unknown {
  return pick(schema, value);
}

/** Keeps null in top-level fields, which clears them. */
function pickKnownPatch(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as PartSchema;
  if (jsonType(value) !== 'object' || !properties) return value;
  return pickFields(properties, value as Record<string, unknown>, () => true);
}

function pick(shape: PartSchema, value: unknown): unknown {
  if (shape.anyOf) {
    const fitting = shape.anyOf.find((one) => one.type === jsonType(value));
    return fitting ? pick(fitting, value) : value;
  }
  if (Array.isArray(value)) return pickItems(shape, value);
  const { properties, required = [] } = shape;
  if (jsonType(value) !== 'object') return value;
  if (!properties) return holdsTexts(shape) ? withoutNulls(value as object) : value;
  return pickFields(properties, value as Record<string, unknown>, (name) => required.includes(name));
}

/** Returns whether all values are texts, as in a postal address. */
function holdsTexts({ patternProperties = {} }: PartSchema): boolean {
  const shapes = Object.values(patternProperties);
  return shapes.length > 0 && shapes.every(({ type }) => type === 'string');
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function pickItems({ items, maxItems = Infinity }: PartSchema, list: unknown[]): unknown[] {
  return items && list.length <= maxItems ? list.map((item) => pick(items, item)) : list;
}

function pickFields(
  properties: Record<string, PartSchema>,
  given: Record<string, unknown>,
  keepsNull: (name: string) => boolean,
): Record<string, unknown> {
  const part: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(properties)) {
    if (!Object.hasOwn(given, name) || (given[name] === null && !keepsNull(name))) continue;
    part[name] = pick(shape, given[name]);
  }
  return part;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const MAX_DETAILS = 20;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  id: 'must be an id of 24 hexadecimal digits',
  visible: NO_VISIBLE_CHARACTER,
};

const KEYWORD_WORDS: Readonly<Record<string, (limit: string, error: ErrorObject) => string>> = {
  required: () => 'is required',
  enum: (_, { schema, data }) => {
    const values = schema as string[];
    const hint = typeof data === 'string' ? didYouMean(data, values) : '';
    return `must be one of ${values.join(', ')}${hint}`;
  },
  minLength: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  pattern: (_, { parentSchema }) => `must be ${parentSchema?.['description'] ?? 'of another form'}`,
  format: (limit) => FORMAT_WORDS[limit] ?? 'must be of another form',
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minItems: (limit) => `must have at least ${entries(limit)}`,
  maxItems: (limit) => `must have at most ${entries(limit)}`,
  uniqueItems: () => 'must not have an entry twice',
  maxProperties: (limit) => `must have at most ${entries(limit)}`,
};

/** `sent` may have a missing field under a misspelt name. */
function buildDetails(errors: readonly ErrorObject[], sent: unknown): ErrorDetail[] {
  const byPath = new Map<string, ErrorObject[]>();
  for (const error of withoutAlternatives(errors)) {
    const path = formatPath(error);
    byPath.set(path, [...(byPath.get(path) ?? []), error]);
  }
  const namesAt = memoize((place: object) => Object.keys(place));
  return [...byPath].slice(0, MAX_DETAILS).map(([path, faults]) => ({
    path,
    message: `${describeFaults(faults)}${mistypedWords(faults, sent, namesAt)}`,
  }));
}

/** Keeps the check of bodies with 40,000 fields linear. */
function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

// Keeps the errors of the alternative that matches the type.
function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const faults = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const unions = new Set(
    errors.filter((error) => !faults.includes(error)).map((error) => error.instancePath),
  );
  const telling = faults.filter(
    ({ keyword, instancePath }) => keyword !== 'type' || !unions.has(instancePath),
  );
  return telling.length > 0 ? telling : faults;
}

function mistypedWords([fault]: ErrorObject[], sent: unknown, namesAt: (place: object) => string[]): string {
  if (fault?.keyword !== 'required') return '';
  const { missingProperty } = fault.params as { missingProperty: string };
  const known = (fault.parentSchema?.['properties'] ?? {}) as object;
  const place = parsePointer(fault).reduce(
    (value, step) => (value as Record<string, unknown> | null)?.[step],
    sent,
  );
  if (typeof place !== 'object' || place === null) return '';
  const mistyped = suggestionFor(missingProperty, excludeKnown(known, namesAt(place)));
  return mistyped === undefined ? '' : `; you sent "${mistyped}", which is not a field: did you mean it?`;
}

function* excludeKnown(known: object, names: string[]): Generator<string> {
  for (const name of names) if (!Object.hasOwn(known, name)) yield name;
}

function parsePointer({ instancePath }: ErrorObject): string[] {
  return instancePath.split('/').slice(1).map(unescapePointer);
}

function formatPath(error: ErrorObject): string {
  const steps = parsePointer(error);
  if (error.keyword === 'required') steps.push((error.params as { missingProperty: string }).missingProperty);
  return steps.length > 0 ? steps.join('.') : 'body';
}

function describeFaults(faults: ErrorObject[]): string {
  const other = faults.find(({ keyword }) => keyword !== 'type');
  if (other) return KEYWORD_WORDS[other.keyword]?.(String(other.schema), other) ?? 'is not valid';
  const types = faults.flatMap(({ schema }) => schema as string | string[]);
  return `must be ${[...new Set(types)].map((type) => TYPE_WORDS[type] ?? type).join(' or ')}`;
}

function entries(count: string): string {
  return count === '1' ? '1 entry' : `${count} entries`;
}

function unescapePointer(pointerStep: string): string {
  return pointerStep.replaceAll('~1', '/').replaceAll('~0', '~');
}
