import Type from 'typebox';
import type { TObject, TProperties, TSchema } from 'typebox';
import {
  MAX_EMAIL_CHARACTERS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
} from '../domain/contact-profile.ts';
import type { ResourceName } from '../domain/resources.ts';

export const EXAMPLE_IDS = {
  organizations: '65f2a1c09b1d8e4f7a3c5d01',
  users: '65f2a1c09b1d8e4f7a3c5d02',
  contacts: '65f2a1c09b1d8e4f7a3c5d03',
  conversations: '65f2a1c09b1d8e4f7a3c5d04',
  messages: '65f2a1c09b1d8e4f7a3c5d05',
  forms: '65f2a1c09b1d8e4f7a3c5d06',
  channels: '65f2a1c09b1d8e4f7a3c5d07',
  services: '65f2a1c09b1d8e4f7a3c5d08',
  eventtypes: '65f2a1c09b1d8e4f7a3c5d09',
  kbitems: '65f2a1c09b1d8e4f7a3c5d0a',
  orggroups: '65f2a1c09b1d8e4f7a3c5d0b',
  events: '65f2a1c09b1d8e4f7a3c5d0c',
  deliveries: '65f2a1c09b1d8e4f7a3c5d05-1:65f2a1c09b1d8e4f7a3c5d08',
  apikeys: '65f2a1c09b1d8e4f7a3c5d0d',
  bots: '65f2a1c09b1d8e4f7a3c5d0e',
  waiting: '65f2a1c09b1d8e4f7a3c5d0f',
  pulled: '65f2a1c09b1d8e4f7a3c5d10',
  duplicates: '65f2a1c09b1d8e4f7a3c5d11',
  files: '65f2a1c09b1d8e4f7a3c5d12',
  notes: '65f2a1c09b1d8e4f7a3c5d13',
} as const satisfies Record<
  ResourceName | 'apikeys' | 'bots' | 'waiting' | 'pulled' | 'duplicates' | 'files' | 'notes',
  string
>;

/** Names a schema, so that the API's description contains it only once. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return Object.assign(schema, { title });
}

export function object<P extends TProperties>(title: string, description: string, properties: P) {
  return named(title, Type.Object(properties, { description }));
}

/**
 * Returns a copy with the properties of `words`, and with the properties of `hidden`, which are not
 * enumerable.
 */
function extend<S extends TSchema, H extends object>(schema: S, words: object, hidden: H): S & H {
  // typebox keeps non-enumerable properties, which a spread would drop.
  const copied = Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(words) },
  );
  for (const [name, value] of Object.entries(hidden))
    Object.defineProperty(copied, name, { value, configurable: true });
  return copied as S & H;
}

export function annotate<S extends TSchema, M extends object>(schema: S, marks: M): S & M {
  return extend(schema, {}, marks);
}

/** A test sends the examples verbatim. */
export function about<S extends TSchema>(schema: S, description: string, example?: unknown): S {
  return extend(schema, { description, ...(example === undefined ? {} : { examples: [example] }) }, {});
}

/** Documents a format that other code checks. */
export function shownAs<S extends TSchema>(format: 'email' | 'uri' | 'date-time' | 'binary', schema: S): S {
  return annotate(schema, { '~format': format });
}

export function getShownFormat(schema: object): string | undefined {
  return (schema as { '~format'?: string })['~format'];
}

export const Id = Type.String({ format: 'id' });

/** A time in an answer. Documents hold a Date. */
export const Time = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  examples: ['2026-03-14T09:26:53.589Z'],
});

/** An id in a body. Its existence is checked later. */
export const Reference = annotate(Type.String({ minLength: 1, maxLength: 64 }), { '~refers': true });

export function idOf(resource: keyof typeof EXAMPLE_IDS, description: string) {
  return about(Id, description, EXAMPLE_IDS[resource]);
}

export function referenceTo(resource: keyof typeof EXAMPLE_IDS, description: string) {
  return about(Reference, description, EXAMPLE_IDS[resource]);
}

export function always<P extends TProperties>(fields: P) {
  return Type.Required(Type.Object(fields)).properties;
}

export const madeAndChanged = {
  createdBy: Type.Optional(idOf('users', 'The user who created the record.')),
  createdAt: about(Time, 'The time of creation.'),
  updatedAt: about(Time, 'The time of the last change.'),
};

export const createdAndChanged = { ...madeAndChanged, ...always({ createdBy: madeAndChanged.createdBy }) };

export const OwnedBy = Type.Optional(
  referenceTo('organizations', "The organization of the record. Default: the caller's."),
);
export const Owner = idOf('organizations', 'The organization of the record.');

/** A time in a body. The offset is optional (spec 2.1). */
export const TimeInput = shownAs('date-time', text({ max: 40 }));

/** Free-form data (spec 2.2). 16 KiB of JSON cannot hold more than 4,096 keys. */
export const Meta = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 4096,
  description:
    'Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`.',
  examples: [{ source: 'website' }],
});
export const Settings = about(Meta, 'Preferences: free-form like `meta`.', { locale: 'nl' });

export function text({ min = 1, max }: { min?: number; max: number }) {
  return Type.String({ minLength: min, maxLength: max });
}

/** Requires a visible character, unless the text is empty. */
export function shownText({ min = 1, max }: { min?: number; max: number }) {
  return Type.String({ minLength: min, maxLength: max, format: 'visible' });
}

/** Describes the pattern by `words` in errors. */
export function patterned(
  pattern: string,
  { words, max, example }: { words: string; max?: number; example: string },
) {
  const bounds = max === undefined ? {} : { maxLength: max };
  return Type.String({ pattern, description: words, examples: [example], ...bounds });
}

export const Name = shownText({ max: MAX_NAME_CHARACTERS });
export const Email = shownAs(
  'email',
  about(text({ max: MAX_EMAIL_CHARACTERS }), 'An email address.', 'ada@example.com'),
);
export const Language = about(
  shownText({ max: MAX_LANGUAGE_CHARACTERS }),
  'A language, such as `en` or `nl-NL`.',
  'en',
);
export const Url = shownAs('uri', text({ max: 2048 }));
export const Address = shownAs('uri', Type.String());
export const Tags = Type.Array(Name, {
  maxItems: 1000,
  description: 'Keywords for finding the record.',
  examples: [['opening hours']],
});

export function oneOf<const V extends readonly string[]>(values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: values, examples: [values[0]] });
}

export function listOf(schema: TSchema) {
  return Type.Array(schema);
}

interface AnnotatedSchema extends TSchema {
  title?: string;
  description?: string;
  examples?: unknown[];
}

type Cleared<P extends TProperties, R extends keyof P> = { [K in R]?: Type.Static<P[K]> } & {
  [K in Exclude<keyof P, R>]?: Type.Static<P[K]> | null;
};

/** Returns a PATCH schema (spec 2.2). Null clears fields outside `required`. */
export function patchOf<P extends TProperties, const R extends string = never>(
  { properties }: TObject<P>,
  required: readonly R[] = [],
) {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    required.some((one) => one === name) ? field : clearable(field),
  ]);
  return Type.Unsafe<Cleared<P, R & keyof P>>({
    type: 'object',
    description: 'The fields to change. A missing field keeps its value. Null clears a field.',
    properties: Object.fromEntries(fields) as object,
  });
}

function clearable(field: TSchema): object {
  const { title, description, examples, ...form } = field as AnnotatedSchema;
  const words = { ...(description === undefined ? {} : { description }), ...(examples ? { examples } : {}) };
  const own = 'pattern' in form ? field : form;
  return title === undefined
    ? { anyOf: [own, { type: 'null' }], ...words }
    : { anyOf: [field, { type: 'null' }], ...words };
}
