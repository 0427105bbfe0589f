import { isInboxToRead } from '../../../domain/conversations/conversation.ts';
import { notFound } from '../../../domain/errors.ts';
import {
  findConversation,
  forgetConversationRef,
  findConversationRef,
} from '../../../store/conversations/find-conversations.ts';
import { parseRecordShape, buildShapedResult } from '../../listing/listing.ts';
import { includesField } from '../../listing/shape.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { loadStoredView, presentConversations } from './present.ts';
import { assertNoMistakes, hintAtChanges } from '../messages/create.ts';
import { collectIgnoredFields } from '../messages/messages.ts';
import type { Replaced } from '../../../application/posting/posting-context.ts';
import { startConversation } from '../../../application/posting/start-conversation.ts';
import type { conversationInput } from '../../../schema/conversation-body.ts';
import { serializeWithEtag } from '../../pipeline/response.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { findErasable } from '../../../store/conversations/erase-conversation.ts';
import { withIfMatch } from '../../records/if-match.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import type { EditTarget } from '../../records/if-match.ts';
import type { Static } from 'typebox';
import Type from 'typebox';
import { about, object } from '../../../schema/kinds.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { noteTyping } from '../../../store/conversations/presences.ts';

const NO_TYPE =
  'type: absent, so the new conversation is of type bot and its messages match no pattern message.create.contact; for a conversation with a contact send "type": "contact".';

/** POST /conversations: responds 201 if the conversation is new, else 200 (spec 5.6, 5.7). */
export async function createConversation(
  request: ApiRequest<Static<typeof conversationInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { contact, messages = [], status, type } = request.body;
  const isUpsert = typeof contact === 'object';
  if (request.isStrict) assertNoMistakes(messages, ['messages']);
  const context = { ...request, deps: api.posting, origin: isUpsert ? 'upsert' : 'message' } as const;
  const started = await startConversation(request.body, context);
  const { conversation: id, created, posted, replaced = [], hints = [] } = started;
  // Only new conversations use these fields.
  const idle = created ? {} : definedFields({ status, type });
  const conversation = await loadStoredView({ id, posted }, request, api);
  const { body, headers } =
    replaced.length === 0 ? { body: conversation } : withReplaced(conversation, replaced);
  return {
    status: created ? 201 : 200,
    body,
    headers: { ...headers, Location: `${api.config.publicUrl}/v2/conversations/${id}` },
    hints: [
      ...hints,
      ...(await hintAtChanges(started)),
      ...(isUpsert && created && type === undefined ? [NO_TYPE] : []),
    ],
    ignored: [...Object.keys(idle).map((field) => [field]), ...collectIgnoredFields(messages, ['messages'])],
  };
}

/** The tag is that of the conversation alone. */
function withReplaced(conversation: object, replaced: Replaced[]) {
  const { etag } = serializeWithEtag(conversation);
  return { body: { ...conversation, replaced }, headers: { ETag: etag } };
}

export async function getConversation(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, id } = request;
  const shape = parseRecordShape(request, 'conversations');
  const { reach } = principal;
  const found = await findConversation(reach, id);
  if (!found) throw notFound('The conversation');
  const { publicUrl } = api.config;
  const withMessages = includesField(shape, 'messages');
  const [body] = await presentConversations([found], { reach, publicUrl, withMessages });
  return buildShapedResult(request, api, { shape, body });
}

export async function readConversation(
  { principal, id, ids }: ApiRequest,
  { temporal }: Api,
): Promise<HandlerResult> {
  const found = await findConversation(principal.reach, id);
  if (!found) throw notFound('The conversation');
  const { user } = principal;
  const isUnread = found.participants.some((one) => one.user === user && one.unreadCount > 0);
  if (isUnread || isInboxToRead(found, user)) {
    const effects = [{ kind: 'read' as const, user }];
    await temporal.conversations.amend(found._id, { id: ids.newId(), by: user, effects });
  }
  return { status: 204 };
}

export async function removeConversation(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { id } = request;
  const erased =
    request.ifMatch === ''
      ? await eraseConversation({ id }, request, api)
      : await withIfMatch(request, conversationTarget(request, api), ({ version }) =>
          eraseConversation({ id, ifVersion: version }, request, api),
        );
  if (!erased) throw notFound('The conversation');
  return { status: 204 };
}

/**
 * Returns false if no such conversation is within reach. Throws DomainError `precondition_failed`
 * for a version other than `ifVersion`.
 */
export async function eraseConversation(
  { id, ifVersion }: { id: string; ifVersion?: number },
  { principal, ids }: ApiRequest,
  { temporal }: Api,
): Promise<boolean> {
  const conversation = await findErasable(principal.reach, id);
  if (conversation === null) return false;
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  const condition = ifVersion === undefined ? {} : { ifVersion };
  const erased = await temporal.conversations.erase({ id: ids.newId(), conversation, caller, ...condition });
  forgetConversationRef(conversation);
  return erased;
}

export function conversationTarget(
  { principal, id }: Pick<ApiRequest, 'principal' | 'id'>,
  { config: { publicUrl } }: Api,
): EditTarget<ConversationDocument> {
  const { reach } = principal;
  return {
    what: 'The conversation',
    find: () => findConversation(reach, id),
    present: async (found) => (await presentConversations([found], { reach, publicUrl }))[0],
  };
}

export const typingInput = object('Typing', 'Whether the caller is typing to the contact.', {
  typing: about(Type.Boolean(), 'Whether the caller is typing, for the next ten seconds.', true),
});

const TYPING_MS = 10_000;

export function typingUntil({ typing }: Static<typeof typingInput>): Date | null {
  return typing ? new Date(storeNow() + TYPING_MS) : null;
}

/** PUT /conversations/{id}/typing: shows the caller as typing for ten seconds (spec 5.14). */
export async function putTyping({
  principal,
  id,
  body,
}: ApiRequest<Static<typeof typingInput>>): Promise<HandlerResult> {
  const place = await findConversationRef(principal.reach, id);
  if (!place) throw notFound('The conversation');
  const role = principal.role === 'bot' ? 'bot' : 'agent';
  await noteTyping(place.id, { user: principal.user, role, until: typingUntil(body) });
  return { status: 204 };
}
