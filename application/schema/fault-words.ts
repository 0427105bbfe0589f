import type { ErrorObject } from 'ajv/dist/2020.js';
import { NO_VISIBLE_CHARACTER } from '../../domain/blank.ts';
import type { ErrorDetail } from '../../domain/errors.ts';
import { didYouMean, suggestionFor } from '../../domain/suggestion.ts';

const MAX_DETAILS = 20;

/** What each type of JSON is called. */
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

/**
 * How each keyword of JSON Schema that bodies are described with says what it misses; `limit` is
 * its value in the schema.
 */
const KEYWORD_WORDS: Readonly<Record<string, (limit: string, error: ErrorObject) => string>> = {
  required: () => 'is required',
  enum: (_, { schema, data }) => {
    const values = schema as string[];
    const hint = typeof data === 'string' ? didYouMean(data, values) : '';
    return `must be one of ${values.join(', ')}${hint}`;
  },
  minLength: (limit) => (limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  // A pattern is written for machines; what it means is said beside it.
  pattern: (_, { parentSchema }) => `must be ${parentSchema?.['description'] ?? 'of another form'}`,
  format: (limit) => FORMAT_WORDS[limit] ?? 'must be of another form',
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minItems: (limit) => `must have at least ${entries(limit)}`,
  maxItems: (limit) => `must have at most ${entries(limit)}`,
  uniqueItems: () => 'must not have an entry twice',
  maxProperties: (limit) => `must have at most ${entries(limit)}`,
};

/**
 * What is wrong where, in a caller's words: one sentence for each place, at most 20. `sent` is the
 * body as it came: a field that is missing may be there under a mistyped name.
 */
export function buildDetails(errors: readonly ErrorObject[], sent: unknown): ErrorDetail[] {
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

/** A body may have 40,000 fields: to list them takes longer than to read it. */
function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

// Where one of several forms is admitted, only what is wrong with the form that was meant is worth
// telling.
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
  return mistyped === undefined ? '' : `; you sent "${mistyped}", which is no field: did you mean it?`;
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
