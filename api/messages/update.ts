import type { Static } from 'typebox';
import { editedMessage, refuseMixingEdit } from '../../domain/edit.ts';
import type { MessageEdit } from '../../domain/edit.ts';
import { notFound } from '../../domain/refusal.ts';
import { callerOf } from '../../posting/draft-messages.ts';
import { factsOf } from '../../posting/facts.ts';
import type { messagePatch } from '../../posting/message-input.ts';
import { presentMessage } from '../../posting/present-message.ts';
import { findStoredMessage } from '../../store/conversation-messages.ts';
import { findPlace } from '../../store/find-conversations.ts';
import { findMessage } from '../../store/find-messages.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';

/**
 * PATCH /messages/{id}: text, actions, items and meta (contract 6). What a processed message did stays done; one that waits for its
 * time is checked again as when it was posted.
 */
export async function updateMessage(
  request: ApiRequest<Static<typeof messagePatch>>,
  api: Api,
): Promise<Answer> {
  const { principal, params, body, mint } = request;
  const found = await findMessage(principal.reach, params['id'] ?? '');
  const place = found && (await findPlace(principal.reach, found.conversation));
  const stored = place && (await findStoredMessage(place.id, found._id));
  if (!stored) throw notFound('The message');
  const edit = body as MessageEdit;
  if (Object.keys(edit).length > 0) {
    const posting = { principal, origin: 'message' as const, place };
    const draft = editedMessage(stored.message, edit);
    refuseMixingEdit(draft, edit);
    const waits = draft.sequence === undefined;
    const facts = waits ? { facts: { ...stored.message.facts, ...(await factsOf(draft, posting)) } } : {};
    const input = { id: mint.id(), message: found._id, caller: callerOf(posting), edit, ...facts };
    const done = await api.temporal.conversations.edit(place.id, input);
    if (!done) throw notFound('The message');
  }
  const edited = await findMessage(principal.reach, found._id);
  if (!edited) throw notFound('The message');
  return { status: 200, body: presentMessage(edited, api.config.publicUrl) };
}
