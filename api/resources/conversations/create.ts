import type { Static } from 'typebox';
import { startConversation } from '../../../application/posting/start-conversation.ts';
import type { conversationInput } from '../../../application/schema/conversation-body.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { collectIgnoredFields } from '../messages/messages.ts';
import { loadStoredView } from './present.ts';

const NO_TYPE =
  'type: absent, so the new conversation is of type bot and its messages match no pattern message.create.contact; for a conversation with a contact send "type": "contact".';

/** POST /conversations: responds 201 if the conversation is new, else 200 (spec 5.6, 5.7). */
export async function createConversation(
  request: ApiRequest<Static<typeof conversationInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { contact, messages = [], status, type } = request.body;
  const isUpsert = typeof contact === 'object';
  const context = { ...request, deps: api.posting, origin: isUpsert ? 'upsert' : 'message' } as const;
  const { conversation: id, created, posted } = await startConversation(request.body, context);
  // Only new conversations use these fields.
  const idle = created ? {} : definedFields({ status, type });
  return {
    status: created ? 201 : 200,
    body: await loadStoredView({ id, posted }, request, api),
    headers: { Location: `${api.config.publicUrl}/v2/conversations/${id}` },
    hints: isUpsert && created && type === undefined ? [NO_TYPE] : [],
    ignored: [...Object.keys(idle).map((field) => [field]), ...collectIgnoredFields(messages, ['messages'])],
  };
}
