import Type from 'typebox';
import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox';
import { RESOURCES, withArticle } from '../domain/resources.ts';
import { Owner, annotate, idOf, madeAndChanged, named, object, patchOf } from './kinds.ts';
import type { ResourceName } from '../domain/resources.ts';

type Place = 'answers' | 'bodies' | 'documents';
type Assigned<S extends TSchema = TSchema> = TOptional<S> & { '~assigned': true };
type Only<W extends Place, S extends TSchema = TSchema> = S & { '~only': W };

interface Marked extends TSchema {
  '~assigned'?: true;
  '~default'?: unknown;
  '~only'?: Place;
}

/** Makes a field optional in bodies. The handler assigns a missing value. */
export function assigned<S extends TSchema>(schema: S): Assigned<S> {
  return annotate(Type.Optional(schema) as TOptional<S>, { '~assigned': true as const });
}

/** Makes a field optional in bodies. The default `value` is stored. */
export function withDefault<S extends TSchema>(schema: S, value: Static<S>): Assigned<S> {
  return annotate(assigned(schema), { '~default': value });
}

/** Makes a field optional in bodies and documents. Answers show an empty object if it is absent. */
export function shownEmpty<S extends TSchema>(schema: S): TOptional<S> {
  return annotate(Type.Optional(schema) as TOptional<S>, { '~default': {} });
}

/** Marks a field that requests cannot set. */
export function answerOnly<S extends TSchema>(schema: S): Only<'answers', S> {
  return annotate(schema, { '~only': 'answers' as const });
}

/** Marks a field that only bodies have, such as a password. */
export function bodyOnly<S extends TSchema>(schema: S): Only<'bodies', S> {
  return annotate(schema, { '~only': 'bodies' as const });
}

/** Marks a field that neither requests nor answers have. */
export function internal<S extends TSchema>(schema: S): Only<'documents', S> {
  return annotate(schema, { '~only': 'documents' as const });
}

type BodyFields<P extends TProperties> = {
  [K in keyof P as P[K] extends Only<'answers' | 'documents'> ? never : K]: P[K];
};

type StoredFields<P extends TProperties> = {
  [K in keyof P as P[K] extends Only<'bodies'> ? never : K]: P[K] extends Assigned<infer S> ? S : P[K];
};

/** Fields of a document, besides the id, the creator and the times. */
export type Stored<P extends TProperties> = {
  [K in keyof StoredFields<P> as StoredFields<P>[K] extends TOptional ? never : K]: Static<
    StoredFields<P>[K]
  >;
} & {
  [K in keyof StoredFields<P> as StoredFields<P>[K] extends TOptional ? K : never]?: Static<
    StoredFields<P>[K]
  >;
};

/** References to an owner cannot be cleared. */
const OWNERS = ['organization', 'parent'] as const;
type Lasting<P> = Extract<
  { [K in keyof P]: P[K] extends TOptional ? never : K }[keyof P] | (keyof P & (typeof OWNERS)[number]),
  string
>;

// oxlint-disable-next-line typescript/no-empty-object-type -- adds no keys
type NoFields = {};

interface Declaration<N, P, C, U> {
  resource: N;
  title: string;
  description: string;
  creates?: string;
  /** In the order of bodies and answers. */
  fields: P;
  /** Fields of one schema that differ from `fields`. */
  create?: C;
  patch?: U;
  answer?: TProperties;
}

/**
 * Builds the bodies, the answer and the presenter of a record from one declaration of its fields.
 * The store builds the document from the same declaration (`defineModel`).
 */
export function declareRecord<
  const N extends ResourceName,
  P extends TProperties,
  C extends TProperties = NoFields,
  U extends TProperties = NoFields,
>({ resource, title, description, creates, fields, create, patch, answer }: Declaration<N, P, C, U>) {
  const sent = selectFields(fields, ['bodies']) as BodyFields<P>;
  const { organization, ...shown } = selectFields(fields, ['answers']);
  const changed = { ...sent, ...patch } as BodyFields<P> & U;
  const answerSchema: TObject = object(title, description, {
    id: idOf(resource, `The id of the ${RESOURCES[resource].noun}.`),
    ...(organization ? { organization: Owner } : {}),
    ...mapFields(shown, toAnswer),
    ...madeAndChanged,
    ...answer,
  });
  return {
    resource,
    fields,
    input: object(`${title}Input`, creates ?? `${toSentenceStart(RESOURCES[resource].noun)} to create.`, {
      ...sent,
      ...create,
    } as unknown as Omit<BodyFields<P>, keyof C> & C),
    patch: named(`${title}Patch`, patchOf(Type.Object(changed), getLastingFields(changed))),
    answer: answerSchema,
    present: createPresenter(answerSchema, fields),
  };
}

function toSentenceStart(noun: string): string {
  const words = withArticle(noun);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function selectFields(fields: TProperties, places: readonly Place[]): TProperties {
  const selected = Object.entries(fields).filter(
    ([, { '~only': only }]: [string, Marked]) => !only || places.includes(only),
  );
  return Object.fromEntries(selected);
}

function mapFields(fields: TProperties, change: (field: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
}

function getLastingFields<P extends TProperties>(fields: P): Lasting<P>[] {
  const owners: readonly string[] = OWNERS;
  return Object.keys(fields).filter(
    (name) => owners.includes(name) || !Type.IsOptional(fields[name]),
  ) as Lasting<P>[];
}

const LIMITS = ['minLength', 'maxLength', 'maxItems', 'uniqueItems'];

function toAnswer(field: Marked): TSchema {
  const always = '~assigned' in field || '~default' in field;
  const required = always ? (Type.Required(Type.Object({ field })).properties.field as TSchema) : field;
  return withoutLimits(required);
}

/** Leaves named schemas unchanged, because the API's description has one schema per name. */
function withoutLimits(schema: TSchema): TSchema {
  if ('title' in schema) return schema;
  const kept = Object.entries(Object.getOwnPropertyDescriptors(schema)).flatMap(([name, one]) => {
    if (name === 'minLength' && '~refers' in schema) return [['format', { ...one, value: 'id' }] as const];
    if (LIMITS.includes(name) || one.value === 'visible') return [];
    return [[name, name === 'items' ? { ...one, value: withoutLimits(one.value as TSchema) } : one] as const];
  });
  return Object.defineProperties<TSchema>({}, Object.fromEntries(kept));
}

export function createPresenter(
  { properties }: TObject,
  fields: TProperties = {},
): (document: { _id: string }) => Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => name !== 'id');
  const defaults: Record<string, unknown> = Object.fromEntries(
    names.map((name) => [name, (fields[name] ?? {})['~default' as keyof TSchema]]),
  );
  return (document) => {
    const body: Record<string, unknown> = { id: document._id };
    for (const name of names) {
      const value = (document as Record<string, unknown>)[name] ?? defaults[name];
      if (value === undefined || value === null) continue;
      body[name] = value instanceof Date ? value.toISOString() : value;
    }
    return body;
  };
}

export function fillFields<P extends TProperties>(fields: P, body: object): Stored<P> {
  const entries = storedBodyFields(fields).map(([name, field]) => [
    name,
    (body as Record<string, unknown>)[name] ?? getStoredDefault(field),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Stored<P>;
}

type Changes<P extends TProperties, B> = { [K in keyof Stored<P> & keyof B]?: Stored<P>[K] | null };

/**
 * Returns the patch of a record. Null restores the default if there is one, else clears the field.
 */
export function changeFields<P extends TProperties, B extends object>(fields: P, body: B): Changes<P, B> {
  const given = body as Record<string, unknown>;
  const entries = storedBodyFields(fields)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, field]) => [name, given[name] ?? getStoredDefault(field) ?? null]);
  return Object.fromEntries(entries) as Changes<P, B>;
}

function storedBodyFields(fields: TProperties): [string, Marked][] {
  return Object.entries(selectFields(fields, [])).filter(([name]) => name !== 'organization');
}

function getStoredDefault(field: Marked): unknown {
  return field['~assigned'] && field['~default'];
}

export interface DeclaredRecord<
  N extends ResourceName = ResourceName,
  I extends TSchema = TSchema,
  U extends TSchema = TSchema,
> {
  resource: N;
  fields: TProperties;
  input: I;
  patch: U;
  answer: TObject;
  present: (document: { _id: string }) => Record<string, unknown>;
}
