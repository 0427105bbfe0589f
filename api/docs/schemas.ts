import type { TSchema } from 'typebox';
import { definedFields } from '../../domain/record-fields.ts';
import { createRecordCheck } from '../pipeline/response.ts';
import type { Route } from '../route.ts';
import { getShownFormat, EXAMPLE_IDS } from '../../schema/kinds.ts';
import { ACTION_FIELDS } from '../../domain/messages/actions-and-items.ts';
import { ACTION_TYPES, ITEM_TYPES, MESSAGE_TYPES, SPOKEN_TYPES } from '../../domain/messages/message.ts';
import type { MessageType } from '../../domain/messages/message.ts';

export interface NamedSchemas {
  /** Replaces named schemas by references, at all levels. */
  refer: (schema: TSchema) => object;
  showsRecord: (row: Pick<Route, 'answer'>) => boolean;
  /** Grows with each call of `refer`. */
  components: Record<string, object>;
}

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
      description,
      // Fields that all variants require, for clients without unions.
      required: shared.length > 0 ? shared : undefined,
      [by === undefined ? 'anyOf' : 'oneOf']: forms.map(({ name }) => referenceTo(name)),
      discriminator: by && { propertyName: by, mapping: Object.fromEntries(mapping) as object },
    },
    ...Object.fromEntries(forms.map(({ name }, at) => [name, variants[at] ?? {}])),
  };
}

const INNER = ['items', 'additionalProperties'];
const INNER_LISTS = ['anyOf', 'oneOf', 'allOf'];
const INNER_MAPS = ['properties', 'patternProperties'];

function referInnerSchemas(shape: object, refer: (schema: unknown) => object): object {
  const isSchema = (value: unknown) => typeof value === 'object' && value !== null;
  return mapValues(toStandardFormats(shape), (value, key) => {
    if (INNER.includes(key) && isSchema(value)) return refer(value);
    if (INNER_LISTS.includes(key)) return (value as unknown[]).map(refer);
    return INNER_MAPS.includes(key) ? mapValues(value as object, refer) : value;
  });
}

function mapValues(object: object, map: (value: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/**
 * Replaces our format `id` with a pattern. Drops our format `visible`: few clients would support
 * its pattern.
 */
function toStandardFormats(shape: object): object {
  const { format, ...others } = shape as { format?: string };
  if (format === 'visible') return others;
  return format === 'id' ? { ...others, pattern: '^[0-9a-f]{24}$' } : shape;
}

interface ObjectShape {
  type?: string;
  properties: Record<string, object>;
  required?: string[] | undefined;
  description?: string;
}

interface Variant {
  name: string;
  description: string;
  without?: readonly string[];
  /** In addition to the required fields of the whole schema. */
  required?: readonly string[];
  /** Fields narrower than in the whole schema. */
  fields?: Readonly<Record<string, object>>;
}

/** `by`: the discriminator. Absent if bodies may lack that field. */
interface Variants {
  by?: string;
  forms: readonly Variant[];
}

const SPOKEN_FIELDS = ['role', 'contentType'];

/** See spec 6. */
const MESSAGE_WORDS: Readonly<Record<MessageType, string>> = {
  chat: 'A text, with or without list items and buttons.',
  card: 'List items with a text.',
  postback: 'The payload of a button that was chosen.',
  mention: 'Mentions users or bots by `meta.targetUser` and `meta.targetBot`.',
  tag: 'A tag. Stored and published without effect.',
  search: 'A search. Stored and published without effect.',
  command: 'A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots.',
  form: 'Adds (`+name`) or removes (`-name`) a form.',
  field: 'Sets a field: `.email ada@example.com`.',
  results: 'Completes forms with values.',
  report: 'A report. Stored and published without effect.',
  status: 'A status. Stored and published without effect.',
};

/** Bodies are validated against the whole schema, and documented as variants. */
const VARIANTS: Readonly<Record<string, Variants>> = {
  Action: { by: 'type', forms: ACTION_TYPES.map(actionForm) },
  Message: { by: 'type', forms: MESSAGE_TYPES.map((type) => messageForm(type, 'Message')) },
  MessageInput: { forms: MESSAGE_TYPES.map((type) => messageForm(type, 'MessageInput')) },
  AddressedMessageInput: { forms: MESSAGE_TYPES.map((type) => messageForm(type, 'AddressedMessageInput')) },
  ConversationInput: {
    forms: [
      {
        name: 'Upsert',
        description:
          'Finds the contact by telephone or email, or creates it. Finds or creates its conversation, and posts into it (spec 5.7).',
        required: ['organization', 'contact', 'messages'],
        fields: { contact: referenceTo('UpsertContact') },
      },
      {
        name: 'PlainConversation',
        description: 'A new conversation, for a contact without a conversation or for no contact.',
        fields: {
          contact: {
            type: 'string',
            description: 'The id of a contact without a conversation.',
            examples: [EXAMPLE_IDS.contacts],
          },
        },
      },
    ],
  },
  TokenInput: {
    forms: [
      {
        name: 'Login',
        description: 'Signs in.',
        required: ['email', 'password'],
        without: ['refreshToken', 'clientId'],
      },
      {
        name: 'TokenRefresh',
        description: 'Returns new tokens after the access token has expired.',
        required: ['refreshToken', 'clientId'],
        without: ['email', 'password', 'otp'],
      },
    ],
  },
};

function buildVariant({ properties, required = [] }: ObjectShape, variant: Variant): ObjectShape {
  const { description, without = [], fields = {} } = variant;
  const kept = Object.entries(properties).filter(([name]) => !without.includes(name));
  const all = new Set([...required, ...(variant.required ?? [])]);
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(kept.map(([name, one]) => [name, mergeVariantField(one, fields[name])])),
    required: all.size > 0 ? [...all] : undefined,
  };
}

function mergeVariantField(usual: object, own: object | undefined): object {
  if (!own) return usual;
  const { description, examples } = usual as { description?: string; examples?: unknown[] };
  return { ...definedFields({ description, examples: 'const' in own ? undefined : examples }), ...own };
}

function actionForm(type: (typeof ACTION_TYPES)[number]): Variant {
  const { required, optional, words } = ACTION_FIELDS[type];
  const all = ['uri', 'payload', 'iconUrl', 'fallback', 'size'];
  return {
    name: `${capitalize(type)}Action`,
    description: words,
    required,
    without: all.filter((field) => !([...required, ...optional] as string[]).includes(field)),
    fields: { type: constant(type) },
  };
}

function messageForm(type: MessageType, whole: string): Variant {
  const spoken = SPOKEN_TYPES.includes(type);
  const shown = spoken ? SPOKEN_FIELDS : [];
  // The default type is chat.
  const said = type === 'chat' ? [] : ['type'];
  return {
    name: whole.replace('Message', `${capitalize(type)}Message`),
    description: MESSAGE_WORDS[type],
    without: [...(spoken ? [] : SPOKEN_FIELDS), ...(ITEM_TYPES.includes(type) ? [] : ['items'])],
    required: whole === 'Message' ? shown : said,
    fields: { type: constant(type) },
  };
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function constant(value: string): object {
  return { type: 'string', const: value, examples: [value] };
}
