import type { Static } from 'typebox';
import Type from 'typebox';
import { notFound } from '../../../domain/refusal.ts';
import { about, object } from '../../../application/schema/kinds.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { findConversationRef } from '../../../store/conversations/find-conversations.ts';
import { noteTyping } from '../../../store/conversations/presences.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';

export const typingInput = object('Typing', 'Whether the caller is writing to the contact.', {
  typing: about(Type.Boolean(), 'Whether they are, for the next ten seconds.', true),
});

/** How long it holds without being said again. */
const TYPING_MS = 10_000;

/** Until when somebody who says this counts as typing; null: no more. */
export function typingUntil({ typing }: Static<typeof typingInput>): Date | null {
  return typing ? new Date(storeNow() + TYPING_MS) : null;
}

/**
 * PUT /conversations/{id}/typing: the caller is writing to the contact, for ten seconds from now,
 * or has stopped. It is told over streams and stored nowhere for longer (spec 5.14).
 */
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
