import Type from 'typebox';
import type { Static } from 'typebox';
import type { Effect } from '../../../domain/conversations/change.ts';
import { definedFields } from '../../../domain/defined-fields.ts';
import { notFound } from '../../../domain/refusal.ts';
import { idOf, object } from '../../../application/schema/kinds.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { loadStoredView } from './stored.ts';

export const unblockInput = object('UnblockInput', 'Which bot may speak again.', {
  bot: Type.Optional(idOf('bots', 'The bot; absent: all of them.')),
});

export const hurryInput = object('HurryInput', 'What is to wait no longer.', {
  message: Type.Optional(idOf('waiting', 'The message; absent: all that wait.')),
});

/**
 * POST /conversations/{id}/unblock: a bot that a loop rule blocks may speak again, or all of them
 * (spec 6.10).
 */
export async function unblockBots(
  request: ApiRequest<Static<typeof unblockInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { bot } = request.body;
  await intervene(request, api, { kind: 'unblocked', ...definedFields({ bot }) });
  return buildConversationResult(request, api);
}

/**
 * POST /conversations/{id}/hurry: a delayed message is due now, or all of the conversation are
 * (spec 6.4). Throws DomainError `not_found` for one that does not wait.
 */
export async function hurryMessages(
  request: ApiRequest<Static<typeof hurryInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { message } = request.body;
  const hurried = await intervene(request, api, { kind: 'hurried', ...definedFields({ message }) });
  if (!hurried && message !== undefined) throw notFound('The delayed message');
  return buildConversationResult(request, api);
}

/** Whether there was anything to change. */
async function intervene({ principal, id, ids }: ApiRequest, api: Api, effect: Effect) {
  const found = await findConversation(principal.reach, id);
  if (!found) throw notFound('The conversation');
  const amendment = { id: ids.newId(), by: principal.user, effects: [effect] };
  return api.temporal.conversations.amend(found._id, amendment);
}

async function buildConversationResult(request: ApiRequest, api: Api): Promise<HandlerResult> {
  return { status: 200, body: await loadStoredView({ id: request.id }, request, api) };
}
