import Type from 'typebox';
import type { TObject, TProperties, TSchema } from 'typebox';
import {
  MAX_EMAIL_CHARACTERS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
} from '../../domain/contact-profile.ts';
import type { ResourceName } from '../../domain/resources.ts';

/**
 * The ids of the records that the examples of the API's description speak of: one of each resource.
 * The same id is the same record in every example.
 */
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
  /** A user with role bot. */
  bots: '65f2a1c09b1d8e4f7a3c5d0e',
  /** A message that waits for its time. */
  waiting: '65f2a1c09b1d8e4f7a3c5d0f',
} as const satisfies Record<ResourceName | 'apikeys' | 'bots' | 'waiting', string>;

/** Building blocks of the schemas that describe bodies and answers. */

/**
 * Gives a schema the name that it has in the API's description, where it is described once; a
 * schema without a name is described wherever it stands.
 */
export function named<S extends TSchema>(title: string, schema: S): S {
  return Object.assign(schema, { title });
}

/** An object with a name in the API's description, and what it is. */
export function object<P extends TProperties>(title: string, description: string, properties: P) {
  return named(title, Type.Object(properties, { description }));
}

/**
 * The schema with what the API's description says of it: a sentence, and an example. Examples are
 * sent as they stand by a test; ids among them are those of application/schema/kinds.ts.
 */
export function about<S extends TSchema>(schema: S, description: string, example?: unknown): S {
  const words = { description, ...(example === undefined ? {} : { examples: [example] }) };
  // What typebox knows of a schema is in properties that a spread leaves out.
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(words) },
  ) as S;
}

/**
 * The schema with a format that the API's description names, and that bodies are not checked
 * against: emails, addresses and times have rules of their own.
 */
export function shownAs<S extends TSchema>(format: 'email' | 'uri' | 'date-time', schema: S): S {
  return Object.defineProperty(schema, '~format', { value: format, configurable: true });
}

/** The format of `shownAs`. */
export function getShownFormat(schema: object): string | undefined {
  return (schema as { '~format'?: string })['~format'];
}

/** An id in an answer. */
export const Id = Type.String({ format: 'id' });
/** A time in an answer. */
export const Time = Type.String({ format: 'date-time', examples: ['2026-03-14T09:26:53.589Z'] });

/** A reference to a record in a body. Whether there is such a record is asked later. */
export const Reference = Type.String({ minLength: 1, maxLength: 64 });

/** An id of a record of a resource in an answer. */
export function idOf(resource: keyof typeof EXAMPLE_IDS, description: string) {
  return about(Id, description, EXAMPLE_IDS[resource]);
}

/** A reference to a record of a resource in a body. */
export function referenceTo(resource: keyof typeof EXAMPLE_IDS, description: string) {
  return about(Reference, description, EXAMPLE_IDS[resource]);
}

/**
 * The fields without `Type.Optional`: a body may leave them out, and a record that is shown always
 * has them.
 */
export function always<P extends TProperties>(fields: P) {
  return Type.Required(Type.Object(fields)).properties;
}

/** What every answered record ends with. */
export const madeAndChanged = {
  createdBy: Type.Optional(idOf('users', 'The user who created it.')),
  createdAt: about(Time, 'When it was created.'),
  updatedAt: about(Time, 'When it was changed last.'),
};

/** The same for records that only callers create. */
export const createdAndChanged = { ...madeAndChanged, ...always({ createdBy: madeAndChanged.createdBy }) };

/** The organization of a record, in a body. */
export const OwnedBy = Type.Optional(
  referenceTo('organizations', "The organization that it belongs to; the caller's where absent."),
);
/** The organization of a record, in an answer. */
export const Owner = idOf('organizations', 'The organization that it belongs to.');

/** A time in a body, which may lack an offset (spec 2.1). */
export const TimeInput = shownAs('date-time', text({ max: 40 }));

/** Free-form keys and values (spec 2.2). No 16 KiB have more keys. */
export const Meta = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 4096,
  description:
    'Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`.',
  examples: [{ source: 'website' }],
});
/** The same for what a person or organization prefers. */
export const Settings = about(Meta, 'Preferences: free-form like `meta`.', { locale: 'nl' });

/** A text of bounded length. */
export function text({ min = 1, max }: { min?: number; max: number }) {
  return Type.String({ minLength: min, maxLength: max });
}

/**
 * A text that people are shown: of invisible characters alone it is refused. The API's description
 * does not have the format `visible`, which is ours.
 */
export function shownText({ min = 1, max }: { min?: number; max: number }) {
  return Type.String({ minLength: min, maxLength: max, format: 'visible' });
}

/**
 * A text of a certain form; `words` say which, as in "two capital letters": callers read them in
 * the API's document and in refusals.
 */
export function patterned(
  pattern: string,
  { words, max, example }: { words: string; max?: number; example: string },
) {
  const bounds = max === undefined ? {} : { maxLength: max };
  return Type.String({ pattern, description: words, examples: [example], ...bounds });
}

/** The name of something. */
export const Name = shownText({ max: MAX_NAME_CHARACTERS });
export const Email = shownAs(
  'email',
  about(text({ max: MAX_EMAIL_CHARACTERS }), 'An email address.', 'ada@example.com'),
);
/** A language or locale. */
export const Language = about(
  shownText({ max: MAX_LANGUAGE_CHARACTERS }),
  'A language, as in `en` or `nl-NL`.',
  'en',
);
/** An address of something. */
export const Url = shownAs('uri', text({ max: 2048 }));
/** An address of something in an answer. */
export const Address = shownAs('uri', Type.String());
export const Tags = Type.Array(Name, {
  maxItems: 1000,
  description: 'Words to find it by.',
  examples: [['opening hours']],
});

/** One of a closed set. */
export function oneOf<const V extends readonly string[]>(values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: values, examples: [values[0]] });
}

/** A list of records in an answer. */
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
    (required as readonly string[]).includes(name) ? field : clearable(field),
  ]);
  return Type.Unsafe<Cleared<P, R>>({
    type: 'object',
    description: 'What to change: a field that is left out stays as it is, null clears it.',
    properties: Object.fromEntries(fields) as object,
  });
}

// What is said of a field is said of the field, and not of one of its forms.
function clearable(field: TSchema): object {
  const { title, description, examples, ...form } = field as AnnotatedSchema;
  const words = { ...(description === undefined ? {} : { description }), ...(examples ? { examples } : {}) };
  // Refusals say what a pattern means.
  const own = 'pattern' in form ? field : form;
  return title === undefined
    ? { anyOf: [own, { type: 'null' }], ...words }
    : { anyOf: [field, { type: 'null' }], ...words };
}
