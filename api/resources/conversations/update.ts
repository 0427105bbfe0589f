import { notFound } from '../../../domain/refusal.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { forgetConversationRef } from '../../../store/conversations/find-conversations.ts';
import { withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { conversationTarget } from './changing.ts';
import { buildRepairEffects } from './repair.ts';
import type { ConversationPatch } from './repair.ts';
import { loadStoredView } from './stored.ts';

/**
 * PATCH /conversations/{id}: a repair, made by the conversation's workflow so that the two never
 * disagree (spec 5.9).
 */
export async function updateConversation(
  request: ApiRequest<ConversationPatch>,
  api: Api,
): Promise<HandlerResult> {
  const changing = conversationTarget(request, api);
  await withIfMatch(request, changing, (found, seen) => change(request, { found, seen, api }));
  const { id } = request;
  return { status: 200, body: await loadStoredView({ id }, request, api) };
}

async function change(
  request: ApiRequest<ConversationPatch>,
  { found, seen, api }: { found: ConversationDocument; seen: ConversationDocument | undefined; api: Api },
): Promise<true> {
  const { principal, body, ids } = request;
  const { _id } = found;
  const effects = await buildRepairEffects(body, { request, stored: found, api });
  if (effects.length === 0) return true;
  const amendment = { id: ids.newId(), by: principal.user, effects };
  const condition = seen ? { ifVersion: seen.version } : {};
  const changed = await api.temporal.conversations.amend(_id, { ...amendment, ...condition });
  if (!changed) throw notFound('The conversation');
  if (body.contact !== undefined) forgetConversationRef(_id);
  return true;
}
