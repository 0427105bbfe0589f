import { notFound } from '../../../domain/errors.ts';
import { presentMessage } from '../../../application/presenters/presenters.ts';
import { findMessage } from '../../../store/conversations/find-messages.ts';
import { parseRecordShape, buildShapedResult } from '../../listing/listing.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import type { Static } from 'typebox';
import { applyEdit, assertCompatibleEdit, changesContent } from '../../../domain/messages/edit.ts';
import type { MessageEdit, MessageVersion } from '../../../domain/messages/edit.ts';
import { assertVisibleText, ignoredFields, scopeToPost } from '../../../domain/messages/draft.ts';
import { buildCaller } from '../../../application/posting/draft-messages.ts';
import { describeEditedFile } from '../../../application/posting/message-files.ts';
import { assertMessageNames, loadFacts } from '../../../application/posting/message-facts.ts';
import type { messagePatch } from '../../../schema/message-body.ts';
import { findStoredMessage } from '../../../store/conversations/processed-messages.ts';
import { findConversationRef } from '../../../store/conversations/find-conversations.ts';
import type { MessageDocument } from '../../../store/conversations/messages.ts';
import { pick } from '../../../domain/record-fields.ts';
import { parseSchedule } from '../../../domain/messages/due-time.ts';
import type { StoredMessage } from '../../../domain/messages/message.ts';
import { RESOURCES } from '../../../domain/resources.ts';
import { includesScope, insufficientScope } from '../../../domain/scope.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import type { OwnRecord } from '../../route.ts';
import { withIfMatch } from '../../records/if-match.ts';
import type { EditTarget } from '../../records/if-match.ts';
import type { MessageInput } from '../../../domain/messages/draft.ts';
import type { FieldPath } from '../../request.ts';

export async function getMessage(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const shape = parseRecordShape(request, 'messages');
  const message = await findMessage(request.principal.reach, request.id);
  if (!message) throw notFound('The message');
  return buildShapedResult(request, api, { shape, body: presentMessage(message, api.config.publicUrl) });
}

/** PATCH /messages/{id} (spec 6.3). Effects of a processed message are not repeated. */
export async function updateMessage(
  request: ApiRequest<Static<typeof messagePatch>>,
  api: Api,
): Promise<HandlerResult> {
  const changing = messageTarget(request, api);
  await withIfMatch(request, changing, (found, seen) => change(request, { found, seen, api }));
  const edited = await changing.find();
  if (!edited) throw notFound(changing.what);
  return { status: 200, body: presentMessage(edited, api.config.publicUrl) };
}

async function change(
  { principal, body, ids, receivedAt }: ApiRequest<Static<typeof messagePatch>>,
  { found, seen, api }: { found: MessageDocument; seen: MessageDocument | undefined; api: Api },
): Promise<true> {
  const place = await findConversationRef(principal.reach, found.conversation);
  const stored = place && (await findStoredMessage(place.id, found._id));
  if (!stored) throw notFound('The message');
  const { delay, sendAt, ...content } = body;
  const given: MessageEdit = { ...content, ...parseMove({ delay, sendAt }, stored.message, receivedAt) };
  assertMayEdit(principal, given);
  if (Object.keys(given).length === 0) return true;
  const { contentType } = stored.message;
  assertVisibleText({ ...(contentType === undefined ? {} : { contentType }), ...given });
  const { publicUrl } = api.config;
  const edit = await describeEditedFile(given, stored.message, { conversation: place.id, publicUrl });
  const posting = { principal, origin: 'message' as const, place };
  const draft = applyEdit(stored.message, edit);
  assertCompatibleEdit(draft, edit);
  if (given.meta) await assertMessageNames(draft, posting, stored.message);
  const waits = draft.sequence === undefined && changesContent(edit);
  const facts = waits ? { facts: { ...stored.message.facts, ...(await loadFacts(draft, posting)) } } : {};
  const input = { id: ids.newId(), message: found._id, caller: buildCaller(posting), edit, ...facts };
  const done = await api.temporal.conversations.edit(place.id, { ...input, ...expectedVersion(seen) });
  if (!done) throw notFound('The message');
  return true;
}

/** DELETE /messages/{id}: also cancels a delayed message (spec 6.3). */
export async function removeMessage(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, ids } = request;
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  const onlyWaiting = !includesScope(principal.scope, RESOURCES.messages.scopes.remove);
  // Ignore false: the message may be deleted already.
  await withIfMatch(request, messageTarget(request, api), ({ _id: message, conversation }, seen) =>
    api.temporal.conversations.remove(conversation, {
      id: ids.newId(),
      message,
      caller,
      ...(onlyWaiting ? { onlyWaiting } : {}),
      ...expectedVersion(seen),
    }),
  );
  return { status: 204 };
}

/**
 * Lets the author of a message that waits cancel or move it with the scope that posted it (spec
 * 6.4). Processed messages pass too: the workflow decides whether the message still waits.
 */
export const ownMessage: OwnRecord = {
  words: 'to cancel or reschedule your own delayed message, the scope that posted it',
  async isOwn({ reach, user, scope }, id) {
    const found = await findMessage(reach, id);
    // Callers that may read messages may learn that a message does not exist: a repeated
    // cancellation is then a 404, not a 403.
    if (!found) return includesScope(scope, RESOURCES.messages.scopes.fetch);
    return found.createdBy === user && includesScope(scope, scopeToPost(found));
  },
};

/** Throws DomainError `forbidden` if a caller who may only move the message changes its content. */
function assertMayEdit({ scope }: Principal, edit: MessageEdit): void {
  const needed = RESOURCES.messages.scopes.update;
  if (includesScope(scope, needed) || !changesContent(edit)) return;
  throw insufficientScope(needed, scope);
}

/** Returns nothing for the time that the message has: callers send back what they have read. */
function parseMove(
  given: Pick<MessageInput, 'delay' | 'sendAt'>,
  { delay, sendAt }: StoredMessage,
  now: string,
): Pick<MessageEdit, 'schedule'> {
  const isRead = given.delay === delay && given.sendAt === sendAt;
  if (isRead || (given.delay === undefined && given.sendAt === undefined)) return {};
  return { schedule: parseSchedule(given, now) };
}

function messageTarget(
  { principal, id }: Pick<ApiRequest, 'principal' | 'id'>,
  { config }: Api,
): EditTarget<MessageDocument> {
  return {
    what: 'The message',
    find: () => findMessage(principal.reach, id),
    present: (found) => presentMessage(found, config.publicUrl),
  };
}

function expectedVersion(seen: MessageDocument | undefined): { ifStand?: MessageVersion } {
  return seen ? { ifStand: pick(seen, ['sequence', 'editedIn']) } : {};
}

/** Returns the paths of fields that the message's type does not have. */
export function collectIgnoredFields(
  messages: MessageInput | MessageInput[],
  path: FieldPath = [],
): FieldPath[] {
  if (!Array.isArray(messages)) return ignoredFields(messages).map((field) => [...path, field]);
  return messages.flatMap((message, at) => ignoredFields(message).map((field) => [...path, at, field]));
}
