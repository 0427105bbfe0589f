import type { Static } from 'typebox';
import { applyEdit, assertCompatibleEdit } from '../../../domain/messages/edit.ts';
import type { MessageEdit } from '../../../domain/messages/edit.ts';
import { assertVisibleText } from '../../../domain/messages/visible-text.ts';
import { notFound } from '../../../domain/refusal.ts';
import { buildCaller } from '../../../application/posting/draft-messages.ts';
import { loadFacts } from '../../../application/posting/facts.ts';
import type { messagePatch } from '../../../application/schema/message-body.ts';
import { presentMessage } from '../../../application/presenters/message.ts';
import { findStoredMessage } from '../../../store/conversations/processed-messages.ts';
import { findConversationRef } from '../../../store/conversations/find-conversations.ts';
import type { MessageDocument } from '../../../store/conversations/messages.ts';
import { withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { messageTarget, expectedVersion } from './changing.ts';

/**
 * PATCH /messages/{id}: text, actions, items and meta (spec 6.3). What a processed message did
 * stays done; one that waits for its time is checked again as when it was posted.
 */
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
  { principal, body, ids }: ApiRequest<Static<typeof messagePatch>>,
  { found, seen, api }: { found: MessageDocument; seen: MessageDocument | undefined; api: Api },
): Promise<true> {
  const place = await findConversationRef(principal.reach, found.conversation);
  const stored = place && (await findStoredMessage(place.id, found._id));
  if (!stored) throw notFound('The message');
  const edit = body as MessageEdit;
  if (Object.keys(edit).length === 0) return true;
  assertVisibleText(edit);
  const posting = { principal, origin: 'message' as const, place };
  const draft = applyEdit(stored.message, edit);
  assertCompatibleEdit(draft, edit);
  const waits = draft.sequence === undefined;
  const facts = waits ? { facts: { ...stored.message.facts, ...(await loadFacts(draft, posting)) } } : {};
  const input = { id: ids.newId(), message: found._id, caller: buildCaller(posting), edit, ...facts };
  const done = await api.temporal.conversations.edit(place.id, { ...input, ...expectedVersion(seen) });
  if (!done) throw notFound('The message');
  return true;
}
