import type { Static } from 'typebox';
import Type from 'typebox';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { MAX_TEXT } from '../../domain/messages/message.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MessageView } from '../../domain/events/view.ts';
import { viewerExternalId, viewerMessage } from '../../domain/messages/chat-page-message.ts';
import { prepareMessages } from '../../posting/prepare-messages.ts';
import { presentPosted } from '../../presenters/posted.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';
import { oneOf, text } from '../../schema/kinds.ts';
import { contactOf, placeOfSlug } from './contact.ts';

/** What the page says: a chat text, or a button that was pressed. */
export const viewerInput = Type.Object({
  /** Given by the page; the same again is answered with the first. */
  key: text({ max: 64 }),
  text: text({ max: MAX_TEXT }),
  type: Type.Optional(oneOf(['chat', 'postback'])),
  /** The button's text. */
  label: Type.Optional(text({ max: 1_000 })),
});

/** How often a key may turn out to be somebody else's message. */
const MAX_TAKEN = 5;

/**
 * POST /c/{slug}/messages: says something as the contact. 201, or 200 for a key that was used
 * before.
 */
export async function postAsContact(
  request: OpenRequest<Static<typeof viewerInput>>,
  api: Api,
): Promise<Answer> {
  const place = await placeOfSlug(request.params);
  for (let taken = 0; taken < MAX_TAKEN; taken += 1) {
    const { message, repeated } = await post(request, api, { place, taken });
    // A message with this name that the contact did not write is none of their business: they are
    // answered as if there were none.
    const own = message?.role === 'contact' ? viewerMessage(message) : null;
    if (own) return { status: repeated ? 200 : 201, body: own };
  }
  throw new DomainError('conflict', 'This key is taken. Please use another one.');
}

async function post(
  request: OpenRequest<Static<typeof viewerInput>>,
  api: Api,
  { place, taken }: { place: ConversationRef; taken: number },
): Promise<{ message: MessageView | undefined; repeated: boolean }> {
  const prepared = await prepareMessages([messageOf(request.body, taken)], {
    request: { ...request, principal: contactOf(place) },
    conversation: place.id,
    origin: 'message',
    deps: api.posting,
  });
  const { drafts } = prepared;
  const { posted } = await prepared.post();
  const [message] = await presentPosted(posted, { drafts, place, publicUrl: api.config.publicUrl });
  return { message, repeated: posted[0]?.id !== drafts[0]?.id };
}

function messageOf(
  { key, text, type = 'chat', label }: Static<typeof viewerInput>,
  taken: number,
): MessageInput {
  return {
    text,
    type,
    role: 'contact',
    touchpoint: 'web',
    externalId: viewerExternalId(key, taken),
    ...(type === 'postback' && label !== undefined ? { meta: { label } } : {}),
  };
}
