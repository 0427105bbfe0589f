import Type from 'typebox';
import type { Static } from 'typebox';
import { MAX_MESSAGES } from '../../domain/messages/message.ts';
import { unprocessable } from '../../domain/refusal.ts';
import { upsertProfile } from '../schema/contact-profile.ts';
import { givenFields } from '../schema/conversation-body.ts';
import { messageInput } from '../schema/message-body.ts';
import { bodyCheck } from '../schema/check.ts';
import { parseJson } from '../schema/json.ts';
import { Reference } from '../schema/kinds.ts';
import { withLists } from './lists-of-one.ts';
import { withPathPrefix } from './refusal.ts';

const MAX_PARTS = 100;

const messages = Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES });

const messagesPart = Type.Object({ conversation: Reference, messages });

const upsertPart = Type.Object({
  organization: Type.Optional(Reference),
  ...givenFields,
  contact: Type.Object({ profile: upsertProfile }),
  messages,
});

const checkMessages = bodyCheck(messagesPart, 'whole');
const checkUpsert = bodyCheck(upsertPart, 'whole');

/**
 * One thing that an event posts: messages into a conversation that is there, or an upsert. `path`:
 * where the result says so.
 */
export type ResultPart = { path: string } & (
  | { kind: 'messages'; input: Static<typeof messagesPart> }
  | { kind: 'upsert'; input: Static<typeof upsertPart> }
);

/**
 * What the result of an expression (JSON) says to post: nothing, one part, or a list of them (spec
 * 8.2). Throws DomainError `unprocessable` that says where it makes no sense.
 */
export async function parseResultParts(result: string | undefined): Promise<ResultPart[]> {
  const value = await withPathPrefix('result', () => parseJson(result ?? 'null'));
  if (value === null) return [];
  if (!Array.isArray(value)) return [await parseResultPart(value, 'result')].flat();
  if (value.length > MAX_PARTS) throw unprocessable(`must not have more than ${MAX_PARTS} parts`, 'result');
  return (await Promise.all(value.map((part, at) => parseResultPart(part, `result.${at}`)))).flat();
}

/** None where the part has no messages, as where an expression makes one of each of no members. */
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
    // JSONata leaves out a field without a value. Beside an unknown field it may be misspelt.
    if (part['messages'] == null && Object.keys(part).every((name) => name in schema.properties)) return [];
    return [
      isUpsert
        ? { path, kind: 'upsert', input: checkUpsert(part) as Static<typeof upsertPart> }
        : { path, kind: 'messages', input: checkMessages(part) as Static<typeof messagesPart> },
    ];
  });
}
