import type { Static } from 'typebox';
import type { MessageInput } from '../../domain/draft.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { findPlace } from '../../store/find-conversations.ts';
import { notFound } from '../errors.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { callerOf, draftMessages, presentPosted } from './post-messages.ts';
import type { addressedMessagesInput, messagesInput } from './schema.ts';

/** POST /messages: one message or several into one conversation (spec 4.3, contract 6). */
export function createMessage(
  request: ApiRequest<Static<typeof addressedMessagesInput>>,
  api: Api,
): Promise<Answer> {
  const inputs = [request.body].flat();
  const [first] = inputs;
  if (!first || inputs.some(({ conversation }) => conversation !== first.conversation)) {
    throw invalidRequest('conversation', 'must be the same in all messages of a request');
  }
  return post(request, api, first.conversation);
}

/** POST /conversations/{id}/messages: the same, into the conversation of the path. */
export function createMessageIn(
  request: ApiRequest<Static<typeof messagesInput>>,
  api: Api,
): Promise<Answer> {
  return post(request, api, request.params['id'] ?? '');
}

async function post(
  request: ApiRequest<Static<typeof messagesInput>>,
  api: Api,
  conversation: string,
): Promise<Answer> {
  const { principal, body } = request;
  const place = await findPlace(principal.reach, conversation);
  if (!place) throw notFound('The conversation');
  const posting = { principal, origin: 'message' as const, place };
  const inputs = [body].flat() as MessageInput[];
  const drafts = await draftMessages(inputs, { request, posting, api });
  const { posted } = await api.temporal.conversations.post(place.id, {
    caller: callerOf(posting),
    messages: drafts,
  });
  const { publicUrl } = api.config;
  const messages = await presentPosted(posted, { drafts, posting, publicUrl });
  // A repetition by `externalId` is answered with the first message, which was made before.
  const allRepeated = posted.every((one, at) => one.id !== drafts[at]?.id);
  const [message] = messages;
  return Array.isArray(body) || !message
    ? { status: allRepeated ? 200 : 201, body: messages }
    : {
        status: allRepeated ? 200 : 201,
        body: message,
        headers: { Location: `${publicUrl}/v2/messages/${message.id}` },
      };
}
