import { notFound } from '../../domain/refusal.ts';
import { findPlace, forgetPlace } from '../../store/find-conversations.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { repairOf } from './repair.ts';
import type { ConversationPatch } from './repair.ts';
import { storedConversation } from './stored.ts';

/** PATCH /conversations/{id}: a repair, made by the conversation's workflow so that the two never disagree (contract 5). */
export async function updateConversation(request: ApiRequest<ConversationPatch>, api: Api): Promise<Answer> {
  const { principal, params, body, mint } = request;
  const place = await findPlace(principal.reach, params['id'] ?? '');
  if (!place) throw notFound('The conversation');
  const effects = await repairOf(body, { request, organization: place.organization, api });
  if (effects.length > 0) {
    const by = principal.user;
    const changed = await api.temporal.conversations.amend(place.id, { id: mint.id(), by, effects });
    if (!changed) throw notFound('The conversation');
    if (body.contact !== undefined) forgetPlace(place.id);
  }
  return { status: 200, body: await storedConversation(place, request, api) };
}
