import Type from 'typebox';
import type { Static, TSchema } from 'typebox';
import { MAX_MESSAGES } from '../../domain/messages/message.ts';
import { unprocessable, DomainError, isRefusal } from '../../domain/errors.ts';
import { upsertFields, givenFields } from '../../schema/conversation-body.ts';
import { messageInput } from '../../schema/message-body.ts';
import { bodyCheck } from '../../schema/check.ts';
import { describeIgnoredFields } from '../../schema/ignored-fields.ts';
import { parseJson } from '../../schema/json.ts';
import { Reference } from '../../schema/kinds.ts';
import type { ExpressionFault } from '../expressions/protocol.ts';
import type { TenantPath } from '../../domain/limits/fair-share.ts';
import { organizationContext } from '../../store/records/organizations.ts';

const MAX_PARTS = 100;

const messages = Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES });

const messagesPart = Type.Object({ conversation: Reference, messages });

const upsertPart = Type.Object({
  organization: Type.Optional(Reference),
  ...givenFields,
  ...upsertFields,
  messages,
});

const checkMessages = bodyCheck(messagesPart, 'whole');
const checkUpsert = bodyCheck(upsertPart, 'whole');

/** `ignored` describes fields that no part has. */
export type ResultPart = { path: string; ignored: string[] } & (
  | { kind: 'messages'; input: Static<typeof messagesPart> }
  | { kind: 'upsert'; input: Static<typeof upsertPart> }
);

/** Parses null, one part or a list of parts (spec 8.2). Throws DomainError `unprocessable`. */
export async function parseResultParts(result: string | undefined): Promise<ResultPart[]> {
  const value = await withPathPrefix('result', () => parseJson(result ?? 'null'));
  if (value === null) return [];
  if (!Array.isArray(value)) return [await parseResultPart(value, 'result')].flat();
  if (value.length > MAX_PARTS) throw unprocessable(`must not have more than ${MAX_PARTS} parts`, 'result');
  return (await Promise.all(value.map((part, at) => parseResultPart(part, `result.${at}`)))).flat();
}

/** Skips a part without messages: an expression may map an empty list. */
function parseResultPart(value: unknown, path: string): Promise<ResultPart[]> {
  return withPathPrefix(path, () => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unprocessable('must be an object with conversation and messages, or the body of an upsert');
    }
    const isUpsert = 'contact' in value;
    const schema = isUpsert ? upsertPart : messagesPart;
    const part = withLists(value, schema) as Record<string, unknown>;
    if (Array.isArray(part['messages']) && part['messages'].length === 0) return [];
    if (!isUpsert && part['conversation'] == null) {
      throw unprocessable('needs a conversation or a contact: neither was found', 'conversation');
    }
    // JSONata omits a field without a value. A part with an unknown field is checked: the field may
    // be a misspelt `messages`.
    if (part['messages'] == null && Object.keys(part).every((name) => name in schema.properties)) return [];
    const ignored = describeIgnoredFields(schema, part).map((field) => `${path}.${field}`);
    return [
      isUpsert
        ? { path, ignored, kind: 'upsert', input: checkUpsert(part) as Static<typeof upsertPart> }
        : { path, ignored, kind: 'messages', input: checkMessages(part) as Static<typeof messagesPart> },
    ];
  });
}

/** Key of the list in `meta`, by command (spec 6.5). */
const LISTED_ARGUMENTS: Record<string, string> = { '/assign': 'users', '/notify': 'channels' };

/**
 * Wraps single values where the schema has a list, because JSONata unwraps lists with one member.
 */
function withLists(value: unknown, schema: TSchema): unknown {
  if (value === undefined || value === null) return value;
  const { items, properties } = schema as { items?: TSchema; properties?: Record<string, TSchema> };
  if (items) {
    const members: unknown[] = Array.isArray(value) ? value : [value];
    return members.map((member) => withLists(member, items));
  }
  if (!properties || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, member]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, field ? withLists(member, field) : (member as unknown)];
  });
  return withListedArguments(Object.fromEntries(fields) as Record<string, unknown>);
}

function withListedArguments(fields: Record<string, unknown>): Record<string, unknown> {
  const { type, text, meta } = fields;
  const name = type === 'command' && typeof text === 'string' ? LISTED_ARGUMENTS[text.trim()] : undefined;
  if (name === undefined || typeof meta !== 'object' || meta === null || !(name in meta)) return fields;
  const argument = (meta as Record<string, unknown>)[name];
  return typeof argument === 'string' ? { ...fields, meta: { ...meta, [name]: [argument] } } : fields;
}

const MAX_HINTS = 5;

/** Returns what the results of an expression have in vain, or undefined. */
export function ignoredHint(parts: readonly ResultPart[]): string | undefined {
  const ignored = parts.flatMap((part) => part.ignored).slice(0, MAX_HINTS);
  return ignored.length === 0 ? undefined : ignored.join(' ');
}

export function expressionError({ message, place }: ExpressionFault): DomainError {
  const said = place === undefined ? message : `${message} (${place})`;
  return new DomainError('unprocessable', `expression: ${said}`, {
    details: [{ path: 'expression', message: said }],
  });
}

/** Runs `work`. Turns a refusal into `unprocessable`, prefixed with `path`. */
export async function withPathPrefix<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const details = error.details?.map((detail) => ({ ...detail, path: `${path}.${detail.path}` }));
    throw new DomainError('unprocessable', `${path}: ${error.message}`, {
      details: details ?? [{ path, message: error.message }],
    });
  }
}

/**
 * Returns the path for fair shares: tenant path and event type (docs/decisions/event-admission.md).
 */
export async function loadEventPath(organization: string, name: string): Promise<TenantPath> {
  const context = await organizationContext(organization);
  return [...(context?.path ?? [organization]), `${organization} ${name}`];
}
