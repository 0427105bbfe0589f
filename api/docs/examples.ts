import { EXAMPLE_IDS } from '../../schema/kinds.ts';

const ORGANIZATION = EXAMPLE_IDS.organizations;
const CONVERSATION = EXAMPLE_IDS.conversations;

/**
 * Builds a CloudEvent. `id` must be new: CloudEvents with equal id and source are the same event.
 */
function cloudEvent(id: string, type: string): object {
  const data = { conversation: CONVERSATION, text: 'Your order is on its way.' };
  return { specversion: '1.0', id, source: '/shop', type, data };
}

/** Examples of bodies by route, followed by the media type if it is not JSON. */
export const BODY_EXAMPLES: Readonly<
  Record<string, Readonly<Record<string, { summary: string; value: unknown }>>>
> = {
  'POST /auth/token': {
    login: {
      summary: 'Log in',
      value: { email: 'ada@example.com', password: 'correct horse battery' },
    },
    refresh: {
      summary: 'Refresh after the access token has expired',
      value: {
        refreshToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
        clientId: 'ada@example.com',
      },
    },
  },
  'PATCH /users/me': {
    name: { summary: 'A new name', value: { givenName: 'Ada', familyName: 'Lovelace' } },
    password: {
      summary: 'A new password, with the current password',
      value: { password: 'battery horse correct', currentPassword: 'correct horse battery' },
    },
  },
  'POST /contacts': {
    contact: {
      summary: 'A contact with a profile',
      value: { profile: { name: 'Grace Hopper', email: 'grace@example.com', telephone: '+31612345678' } },
    },
  },
  'POST /users': {
    bot: { summary: 'A bot', value: { role: 'bot', givenName: 'Booking bot' } },
    agent: {
      summary: 'A person',
      value: {
        role: 'agent',
        givenName: 'Grace',
        familyName: 'Hopper',
        email: 'grace@example.com',
        password: 'battery horse correct',
      },
    },
  },
  'PATCH /eventtypes/:id': {
    description: { summary: 'Another description', value: { description: 'An order was paid.' } },
  },
  'POST /conversations': {
    upsert: {
      summary: 'Find or create a contact and its conversation, and post a message',
      value: {
        organization: ORGANIZATION,
        type: 'contact',
        contact: { profile: { email: 'ada@example.com', name: 'Ada' } },
        messages: [{ type: 'chat', role: 'contact', text: 'Hello, is anybody there?' }],
      },
    },
    plain: {
      summary: 'A conversation without a contact',
      value: { name: 'A question', meta: { source: 'website' } },
    },
  },
  'POST /messages': {
    chat: {
      summary: 'A text',
      value: { conversation: CONVERSATION, type: 'chat', role: 'agent', text: 'Good morning!' },
    },
    buttons: {
      summary: 'A text with replies to choose from',
      value: {
        conversation: CONVERSATION,
        text: 'Did that help?',
        actions: [
          { type: 'reply', text: 'Yes', payload: 'yes' },
          { type: 'reply', text: 'No', payload: 'no' },
        ],
      },
    },
    command: {
      summary: 'A command',
      value: { conversation: CONVERSATION, type: 'command', text: '/set category sales' },
    },
  },
  'POST /conversations/:id/messages': {
    one: { summary: 'A text', value: { text: 'Good morning!' } },
    several: {
      summary: 'Several messages, all accepted or none',
      value: [{ text: 'One moment.' }, { text: 'Here it is.', delay: 1000 }],
    },
  },
  'POST /conversations/:id/hurry': {
    all: { summary: 'All delayed messages', value: {} },
    one: { summary: 'One delayed message', value: { message: EXAMPLE_IDS.waiting } },
  },
  'POST /events application/cloudevents+json': {
    shipped: { summary: 'An order was shipped', value: cloudEvent('A-17', 'order.shipped') },
  },
  'POST /events/:name application/cloudevents+json': {
    created: { summary: 'An order was created', value: cloudEvent('A-18', 'order.created') },
  },
  'POST /eventtypes/:id/preview application/cloudevents+json': {
    created: { summary: 'An order was created', value: cloudEvent('A-18', 'order.created') },
  },
  'POST /services': {
    webhook: {
      summary: 'Receive the chat messages of contacts',
      value: {
        name: 'Echo',
        type: 'webhook',
        params: { url: 'https://example.com/hook', events: ['message.create.*.chat.contact'] },
      },
    },
  },
};

interface ExampleSchema {
  examples?: readonly unknown[];
  const?: unknown;
  enum?: readonly unknown[];
  type?: string;
  minimum?: number;
  properties?: Record<string, ExampleSchema>;
  patternProperties?: Record<string, ExampleSchema>;
  items?: ExampleSchema;
  anyOf?: ExampleSchema[];
}

export function buildPartialExample({ properties = {} }: ExampleSchema): unknown {
  const fields = Object.entries(properties).slice(0, 1);
  return Object.fromEntries(fields.map(([name, schema]) => [name, buildExample(schema)]));
}

export function buildExample(shape: ExampleSchema): unknown {
  if (shape.examples) return shape.examples[0];
  const [choice] = shape.anyOf ?? [];
  if (choice) return buildExample(choice);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  switch (shape.type) {
    case 'array':
      return shape.items ? [buildExample(shape.items)] : [];
    case 'object':
      return objectExample(shape);
    case 'integer':
    case 'number':
      return shape.minimum ?? 0;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'anything';
  }
}

function objectExample({ properties, patternProperties = {} }: ExampleSchema): Record<string, unknown> {
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, buildExample(inner)]));
  }
  // All maps without an example are keyed by touchpoint.
  const [values] = Object.values(patternProperties);
  return values ? { web: buildExample(values) } : {};
}
