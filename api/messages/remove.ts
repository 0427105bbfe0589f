import { notFound } from '../../domain/refusal.ts';
import { findMessage } from '../../store/find-messages.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';

/** DELETE /messages/{id}; one that waits for its time is cancelled (contract 6). */
export async function removeMessage(
  { principal, params, mint }: ApiRequest,
  { temporal }: Api,
): Promise<Answer> {
  const found = await findMessage(principal.reach, params['id'] ?? '');
  if (!found) throw notFound('The message');
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  const { _id: message, conversation } = found;
  // If it is gone meanwhile, all the better.
  await temporal.conversations.remove(conversation, { id: mint.id(), message, caller });
  return { status: 204 };
}
