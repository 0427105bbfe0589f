import type { TSchema } from 'typebox';

/** JSON Schema, as far as bodies and answers are described in it. */
interface Shape {
  const?: unknown;
  enum?: readonly unknown[];
  type?: string;
  format?: string;
  minimum?: number;
  pattern?: string;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  required?: readonly string[];
}

const ID = '65f2a1c09b1d8e4f7a3c5d21';
const TIME = '2026-03-14T09:26:53.589Z';

/** What fields are like, where their name says more than their type. */
const BY_NAME: Record<string, unknown> = {
  name: 'Support',
  displayName: 'Support',
  givenName: 'Ada',
  familyName: 'Lovelace',
  email: 'ada@example.com',
  clientId: 'bot@example.com',
  telephone: '+31201234567',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  otp: '123456',
  locale: 'nl-NL',
  language: 'en',
  country: 'NL',
  industry: 'retail',
  url: 'https://example.com/',
  uri: 'https://example.com/',
  fallback: 'https://example.com/',
  logo: 'https://example.com/logo.png',
  avatar: 'https://example.com/ada.png',
  mediaUrl: 'https://example.com/picture.png',
  mediaType: 'image/png',
  iconUrl: 'https://example.com/icon.png',
  web: 'https://example.com/c/Zm9vYmFyYmF6cXV4',
  slug: 'Zm9vYmFyYmF6cXV4',
  after: '12-57',
  text: 'Hello',
  title: 'Opening hours',
  content: 'Open from nine to five.',
  description: 'Every day',
  category: 'sales',
  touchpoint: 'web',
  serviceType: 'api',
  externalId: 'message-1',
  payload: 'yes',
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
  refreshToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
  scope: 'guest agent',
  secret: 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz',
  events: ['message.create.*'],
  jsonata: '{ "conversation": conversation, "messages": [{ "text": text }] }',
  path: ID,
  delay: 0,
  q: 'ada',
};

/**
 * A value that fits the schema; `name` is that of the field it stands in. Optional fields are there
 * as well.
 */
export function exampleOf(schema: TSchema, name = ''): unknown {
  return example(schema, name);
}

/** The same with the required fields and one more: what a PATCH looks like. */
export function partialExampleOf(schema: TSchema): unknown {
  const { properties = {} } = schema as Shape;
  return Object.fromEntries(
    Object.entries(properties)
      .slice(0, 1)
      .map(([name, inner]) => [name, example(inner, name)]),
  );
}

function example(shape: Shape, name: string): unknown {
  const [choice] = shape.anyOf ?? [];
  if (choice) return example(choice, name);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.format === 'id') return ID;
  if (shape.format === 'date-time') return TIME;
  const usual = BY_NAME[name];
  if (typeof usual === shape.type || (Array.isArray(usual) && shape.type === 'array')) return usual;
  return plainExample(shape, name);
}

function plainExample(shape: Shape, name: string): unknown {
  switch (shape.type) {
    case 'array':
      return shape.items ? [example(shape.items, name)] : [];
    case 'object':
      return objectExample(shape);
    case 'integer':
    case 'number':
      return shape.minimum ?? 0;
    case 'boolean':
      return true;
    case 'string':
      return shape.pattern === undefined && /s$/.test(name) ? name.slice(0, -1) : ID;
    case 'null':
      return null;
    default:
      return 'anything';
  }
}

function objectExample({ properties, patternProperties = {} }: Shape): Record<string, unknown> {
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, example(inner, name)]),
    );
  }
  const [values] = Object.values(patternProperties);
  if (!values) return {};
  return values.type === undefined ? { source: 'website' } : { web: example(values, 'web') };
}
