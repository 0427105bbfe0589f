import type { Static } from 'typebox';
import Type from 'typebox';
import type { MessageInput } from '../../domain/draft.ts';
import { VIEWER_PREFIX, viewerMessage } from '../../domain/viewer-message.ts';
import { prepareMessages } from '../../posting/prepare-messages.ts';
import { presentPosted } from '../../posting/present-posted.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';
import { oneOf, text } from '../../schema/kinds.ts';
import { contactOf, placeOfSlug } from './contact.ts';

/** What the page says: a chat text, or a button that was pressed. */
export const viewerInput = Type.Object({
  /** Given by the page; the same again is answered with the first. */
  key: text({ max: 64 }),
  text: text({ max: 32_000 }),
  type: Type.Optional(oneOf(['chat', 'postback'])),
  /** The button's text. */
  label: Type.Optional(text({ max: 1_000 })),
});

/** POST /c/{slug}/messages: says something as the contact. 201, or 200 for a key that was used before. */
export async function postAsContact(
  request: OpenRequest<Static<typeof viewerInput>>,
  api: Api,
): Promise<Answer> {
  const place = await placeOfSlug(request.params);
  const prepared = await prepareMessages([messageOf(request.body)], {
    asking: { ...request, principal: contactOf(place) },
    conversation: place.id,
    origin: 'message',
    deps: api.posting,
  });
  const { drafts, posting } = prepared;
  const { posted } = await prepared.post();
  const [message] = await presentPosted(posted, { drafts, posting, publicUrl: api.config.publicUrl });
  const repeated = posted[0]?.id !== drafts[0]?.id;
  return { status: repeated ? 200 : 201, body: message && viewerMessage(message) };
}

function messageOf({ key, text, type = 'chat', label }: Static<typeof viewerInput>): MessageInput {
  return {
    text,
    type,
    role: 'contact',
    touchpoint: 'web',
    externalId: `${VIEWER_PREFIX}${key}`,
    ...(type === 'postback' && label !== undefined ? { meta: { label } } : {}),
  };
}
