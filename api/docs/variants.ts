import { ACTION_FIELDS } from '../../domain/messages/actions-and-items.ts';
import { ACTION_TYPES, ITEM_TYPES, MESSAGE_TYPES, SPOKEN_TYPES } from '../../domain/messages/message.ts';
import type { MessageType } from '../../domain/messages/message.ts';
import { EXAMPLE_IDS } from '../../application/schema/example-ids.ts';

/** JSON Schema of an object, as far as variants are made from it. */
export interface ObjectShape {
  properties: Record<string, object>;
  required?: string[];
  description?: string;
}

/** One form of a schema whose fields depend on each other. */
interface Variant {
  name: string;
  description: string;
  /** Fields of the whole schema that this form does not have. */
  without?: readonly string[];
  /** Required beside what the whole schema requires. */
  required?: readonly string[];
  /** Fields that are something else, or only one thing, in this form. */
  fields?: Readonly<Record<string, object>>;
}

/** The forms of a schema. `by`: the field that tells them apart, always there. */
export interface Variants {
  by?: string;
  forms: readonly Variant[];
}

const SPOKEN_FIELDS = ['role', 'contentType'];

/** What each type of message is for (spec 6). */
const MESSAGE_WORDS: Readonly<Record<MessageType, string>> = {
  chat: 'Something said, with or without list items and buttons.',
  card: 'List items to look at, with a text.',
  postback: 'What somebody chose by a button: its payload.',
  mention: 'Calls users or bots by `meta.targetUser` and `meta.targetBot`.',
  tag: 'A tag. Stored and told of, without effect.',
  search: 'A search. Stored and told of, without effect.',
  command: 'A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots.',
  form: 'Adds (`+name`) or removes (`-name`) a form.',
  field: 'Sets a field: `.email ada@example.com`.',
  results: 'Completes forms: their values.',
  report: 'A report. Stored and told of, without effect.',
  status: 'A status. Stored and told of, without effect.',
};

/**
 * Schemas whose fields depend on their type, by name: bodies are checked against the whole, and
 * described as one of these forms.
 */
export const VARIANTS: Readonly<Record<string, Variants>> = {
  Action: { by: 'type', forms: ACTION_TYPES.map(actionForm) },
  Message: { by: 'type', forms: MESSAGE_TYPES.map((type) => messageForm(type, 'Message')) },
  MessageInput: { forms: MESSAGE_TYPES.map((type) => messageForm(type, 'MessageInput')) },
  AddressedMessageInput: { forms: MESSAGE_TYPES.map((type) => messageForm(type, 'AddressedMessageInput')) },
  ConversationInput: {
    forms: [
      {
        name: 'Upsert',
        description:
          'Finds the contact by telephone or email, or makes it; finds or makes its conversation; and posts into it (spec 5.7).',
        required: ['organization', 'contact', 'messages'],
        fields: {
          contact: { $ref: '#/components/schemas/UpsertContact' },
        },
      },
      {
        name: 'PlainConversation',
        description: 'A new conversation, of a contact that has none yet or of nobody.',
        fields: {
          contact: {
            type: 'string',
            description: 'The id of a contact that has no conversation yet.',
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
        description: 'Gets new tokens after the access token has expired.',
        required: ['refreshToken', 'clientId'],
        without: ['email', 'password', 'otp'],
      },
    ],
  },
};

/** A form's schema, made from the whole. */
export function buildVariant({ properties, required = [] }: ObjectShape, variant: Variant): ObjectShape {
  const { description, without = [], fields = {} } = variant;
  const kept = Object.entries(properties).filter(([name]) => !without.includes(name));
  const all = new Set([...required, ...(variant.required ?? [])]);
  return {
    description,
    ...{ type: 'object' },
    properties: Object.fromEntries(kept.map(([name, one]) => [name, mergeVariantField(one, fields[name])])),
    ...(all.size > 0 ? { required: [...all] } : {}),
  };
}

function mergeVariantField(usual: object, own: object | undefined): object {
  if (!own) return usual;
  const { description, examples } = usual as { description?: string; examples?: unknown[] };
  const isConst = 'const' in own;
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples && !isConst ? { examples } : {}),
    ...own,
  };
}

function actionForm(type: (typeof ACTION_TYPES)[number]): Variant {
  const { required, optional, words } = ACTION_FIELDS[type];
  const all = ['uri', 'payload', 'iconUrl', 'fallback', 'size'];
  return {
    name: `${type.charAt(0).toUpperCase()}${type.slice(1)}Action`,
    description: words,
    required,
    without: all.filter((field) => !([...required, ...optional] as string[]).includes(field)),
    fields: { type: constant(type) },
  };
}

type MessageSchema = 'Message' | 'MessageInput' | 'AddressedMessageInput';

function messageForm(type: MessageType, whole: MessageSchema): Variant {
  const spoken = SPOKEN_TYPES.includes(type);
  const shown = spoken ? SPOKEN_FIELDS : [];
  // A message without a type is one of type chat.
  const said = type === 'chat' ? [] : ['type'];
  return {
    name: whole.replace('Message', `${type.charAt(0).toUpperCase()}${type.slice(1)}Message`),
    description: MESSAGE_WORDS[type],
    without: [...(spoken ? [] : SPOKEN_FIELDS), ...(ITEM_TYPES.includes(type) ? [] : ['items'])],
    required: whole === 'Message' ? shown : said,
    fields: { type: constant(type) },
  };
}

function constant(value: string): object {
  return { type: 'string', const: value, examples: [value] };
}
