import Type from 'typebox';
import type { TObject, TProperties, TSchema } from 'typebox';
import {
  MAX_EMAIL_CHARACTERS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
} from '../domain/contact-profile.ts';

/** Building blocks of the schemas that describe bodies and answers. */

/** An id in an answer. */
export const Id = Type.String({ format: 'id' });
/** A time in an answer. */
export const Time = Type.String({ format: 'date-time' });

/** A reference to a record in a body. Whether there is such a record is asked later. */
export const Reference = Type.String({ minLength: 1, maxLength: 64 });

/** Free-form keys and values (spec 2.2). No 16 KiB have more keys. */
export const Meta = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 4096 });

/** A text of bounded length. */
export function text({ min = 1, max }: { min?: number; max: number }) {
  return Type.String({ minLength: min, maxLength: max });
}

/**
 * A text of a certain form; `words` say which, as in "two capital letters": callers read them in
 * the API's document and in refusals.
 */
export function patterned(pattern: string, { words, max }: { words: string; max?: number }) {
  return Type.String({ pattern, description: words, ...(max === undefined ? {} : { maxLength: max }) });
}

/** The name of something. */
export const Name = text({ max: MAX_NAME_CHARACTERS });
export const Email = text({ max: MAX_EMAIL_CHARACTERS });
/** A language or locale. */
export const Language = text({ max: MAX_LANGUAGE_CHARACTERS });
/** An address of something. */
export const Url = text({ max: 2048 });
export const Tags = Type.Array(Name, { maxItems: 1000 });

/** One of a closed set. */
export function oneOf<const V extends readonly string[]>(values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: values });
}

/** A list of records in an answer. */
export function listOf(schema: TSchema) {
  return Type.Array(schema);
}

type Cleared<P extends TProperties, R extends keyof P> = { [K in R]?: Type.Static<P[K]> } & {
  [K in Exclude<keyof P, R>]?: Type.Static<P[K]> | null;
};

/**
 * The body of a PATCH: every field may be left out, and those not in `required` may be null, which
 * clears them (spec 2.2).
 */
export function patchOf<P extends TProperties, const R extends keyof P & string = never>(
  { properties }: TObject<P>,
  required: readonly R[] = [],
) {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    (required as readonly string[]).includes(name) ? field : { anyOf: [field, { type: 'null' }] },
  ]);
  return Type.Unsafe<Cleared<P, R>>({ type: 'object', properties: Object.fromEntries(fields) as object });
}
