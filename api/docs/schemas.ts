import type { TSchema } from 'typebox';
import { ERROR_CODES } from '../../domain/errors.ts';
import { createRecordCheck } from '../pipeline/record-rows.ts';
import type { Route } from '../route.ts';
import { getShownFormat } from '../../application/schema/kinds.ts';
import { VARIANTS, buildVariant } from './variants.ts';
import type { ObjectShape } from './variants.ts';

const REFUSAL = {
  message: {
    type: 'string',
    description: 'What is wrong, and what to do, for people.',
    examples: ['text: is required'],
  },
};

/** The body of every refusal (spec 2.4). */
export const REFUSAL_SCHEMA = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['message', 'code', 'error'],
  properties: {
    ...REFUSAL,
    code: {
      type: 'string',
      enum: ERROR_CODES,
      description: 'The same for programs: from a closed list.',
      examples: ['invalid_request'],
    },
    error: {
      type: 'object',
      description: 'The message again, where many clients look for it.',
      required: ['message'],
      properties: REFUSAL,
    },
    details: {
      type: 'array',
      description: 'What is wrong at each place of the body or query.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'The place, dotted.', examples: ['messages.0.text'] },
          message: { type: 'string', description: 'What is wrong there.', examples: ['is required'] },
        },
      },
    },
  },
};

/** Schemas as OpenAPI has them: what has a name is described once. */
export interface NamedSchemas {
  /** The schema, or a reference where it has a name; so with everything in it. */
  refer: (schema: TSchema) => object;
  /** Whether a route answers with a single record. */
  showsRecord: (row: Pick<Route, 'answer'>) => boolean;
  /** The schemas that have names; those of `refer` so far. */
  components: Record<string, object>;
}

/** Names the schemas of a route table by their titles (`named` of application/schema/kinds.ts). */
export function nameSchemas(routes: readonly Route[]): NamedSchemas {
  const components: Record<string, object> = {};
  const sources = new Map<string, string>();
  const refer = (schema: unknown): object => {
    const { title, ...own } = schema as { title?: string };
    const format = getShownFormat(schema as object);
    const shape = format === undefined ? own : { ...own, format };
    if (title === undefined) return referInnerSchemas(shape, refer);
    const source = JSON.stringify(shape);
    if (!sources.has(title)) {
      sources.set(title, source);
      const whole = referInnerSchemas(shape, refer);
      Object.assign(components, VARIANTS[title] ? buildVariantSchemas(title, whole) : { [title]: whole });
    }
    if (sources.get(title) !== source) throw new Error(`Two schemas are called ${title}.`);
    return referenceTo(title);
  };
  return { refer, showsRecord: createRecordCheck(routes), components };
}

function referenceTo(title: string): { $ref: string } {
  return { $ref: `#/components/schemas/${title}` };
}

/** A schema in forms: the union, and each form under its name. */
function buildVariantSchemas(title: string, whole: object): Record<string, object> {
  const { by, forms = [] } = VARIANTS[title] ?? {};
  const { description } = whole as { description?: string };
  const variants = forms.map((form) => buildVariant(whole as ObjectShape, form));
  const [first, ...others] = variants.map(({ required = [] }) => required);
  const shared = first?.filter((field) => others.every((fields) => fields.includes(field))) ?? [];
  const mapping = forms.map(({ name, fields = {} }) => {
    const { const: value = '' } = (fields[by ?? ''] ?? {}) as { const?: string };
    return [value, referenceTo(name).$ref];
  });
  return {
    [title]: {
      ...(description === undefined ? {} : { description }),
      // Clients that read no unions still find what every form has.
      ...(shared.length > 0 ? { required: shared } : {}),
      [by === undefined ? 'anyOf' : 'oneOf']: forms.map(({ name }) => referenceTo(name)),
      ...(by === undefined
        ? {}
        : { discriminator: { propertyName: by, mapping: Object.fromEntries(mapping) as object } }),
    },
    ...Object.fromEntries(forms.map(({ name }, at) => [name, variants[at] ?? {}])),
  };
}

/** Keywords of JSON Schema that hold a schema, a list of them, or some by name. */
const INNER = ['items', 'additionalProperties'];
const INNER_LISTS = ['anyOf', 'oneOf', 'allOf'];
const INNER_MAPS = ['properties', 'patternProperties'];

function referInnerSchemas(shape: object, refer: (schema: unknown) => object): object {
  const isSchema = (value: unknown) => typeof value === 'object' && value !== null;
  const entries = Object.entries(toStandardFormats(shape)).map(
    ([key, value]: [string, unknown]): [string, unknown] => {
      if (INNER.includes(key) && isSchema(value)) return [key, refer(value)];
      if (INNER_LISTS.includes(key)) return [key, (value as unknown[]).map(refer)];
      if (!INNER_MAPS.includes(key)) return [key, value];
      const named = Object.entries(value as object).map(([name, one]) => [name, refer(one)]);
      return [key, Object.fromEntries(named)];
    },
  );
  return Object.fromEntries(entries);
}

/**
 * The formats `id` and `visible` are our own. Every client understands the pattern of an id; most
 * understand no pattern of visible texts.
 */
function toStandardFormats(shape: object): object {
  const { format, ...others } = shape as { format?: string };
  if (format === 'visible') return others;
  return format === 'id' ? { ...others, pattern: '^[0-9a-f]{24}$' } : shape;
}
