import type { TSchema } from 'typebox';
import { buildExample } from '../../api/docs/examples.ts';
import type { Tenant } from './tenant.ts';

interface Shape {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
}

/**
 * The kind of record that a field refers to, by field name. An empty kind stands for the plural of
 * the field name. Other fields get ids of every kind.
 */
const KINDS: [RegExp, string][] = [
  [/^(user|users|targetUser|targetBot)$/, 'users'],
  [/^(organizations?|parent)$/, 'organizations'],
  [/^(contact|conversation|form|channel|service|message|eventtype)s?$/, ''],
  [/^channelsOffline$/, 'channels'],
];
/** Fields whose schema looks like a reference, but which contain text. */
const TEXTS = /^(language|locale|role|status|telephone|type)$/;
/** Fields of `meta` that commands read (spec 6.4). */
const META = [
  'user',
  'users',
  'targetUser',
  'targetBot',
  'form',
  'channel',
  'channels',
  'service',
  'template',
];

interface Making {
  victim: Tenant;
  own: Tenant;
}

/**
 * Builds bodies for each field that may refer to a record. Each body is valid except for one
 * reference, to a record of the victim.
 */
export function referringBodies(schema: TSchema, making: Making): unknown[] {
  return variants(schema, '', making);
}

function variants(shape: Shape, name: string, making: Making): unknown[] {
  if (shape.anyOf) return shape.anyOf.flatMap((one) => variants(one, name, making));
  if (isReference(shape, name)) return idsFor(name, making.victim);
  if (shape.type === 'array') {
    return variants(shape.items ?? {}, name, making).map((value) => [value]);
  }
  if (shape.patternProperties) {
    const [values = {}] = Object.values(shape.patternProperties);
    if (values.type !== undefined) return variants(values, name, making).map((web) => ({ web }));
    return name === 'meta' ? META.map((key) => metaOf(key, making.victim)) : [];
  }
  const rest = least(shape, name, making);
  return Object.entries(shape.properties ?? {}).flatMap(([field, inner]) =>
    variants(inner, field, making).map((value) => ({ ...(rest as object), [field]: value })),
  );
}

/** Returns whether the schema describes a reference: an id, or plain text of 1 to 64 characters. */
function isReference({ type, format, minLength, maxLength, pattern, enum: values }: Shape, name: string) {
  if (format === 'id') return true;
  if (TEXTS.test(name)) return false;
  const isPlain = type === 'string' && format === undefined && pattern === undefined && !values;
  return isPlain && minLength === 1 && maxLength === 64;
}

function idsFor(name: string, { records }: Tenant): string[] {
  const kind = KINDS.find(([names]) => names.test(name));
  const ids = kind && records[kind[1] || `${name.replace(/s$/, '')}s`];
  return ids ? ids.slice(0, 1) : Object.values(records).flatMap((some) => some.slice(0, 1));
}

function metaOf(key: string, victim: Tenant): object {
  const [id] = idsFor(key, victim);
  return { [key]: key.endsWith('s') ? [id] : id };
}

let names = 0;

/** Builds the minimal value of a schema. References name records of the attacker. */
function least(shape: Shape, name: string, making: Making): unknown {
  const { own } = making;
  if (shape.anyOf) return least(shape.anyOf[0] ?? {}, name, making);
  if (shape.type === 'object') {
    const fields = (shape.required ?? []).map((field) => [
      field,
      least(shape.properties?.[field] ?? {}, field, making),
    ]);
    return Object.fromEntries(fields);
  }
  if (isReference(shape, name)) return idsFor(name, own)[0];
  if (name === 'url') return own.receiver.url;
  if (name === 'type' && !shape.enum) return 'webhook';
  if (name === 'name') return `own.name${names++}`;
  return buildExample(shape);
}
