import Type from 'typebox';
import type { Static } from 'typebox';
import { prepareMessages } from '../../application/posting/draft-messages.ts';
import { unprocessable } from '../../domain/errors.ts';
import { getVisibleAuthor } from '../../domain/messages/chat-page-message.ts';
import type { Author } from '../../domain/messages/chat-page-message.ts';
import { MAX_COMMENT, MAX_RATING, buildRating, isSameRating, mayRate } from '../../domain/messages/rating.ts';
import type { Rating } from '../../domain/messages/rating.ts';
import { text } from '../../schema/kinds.ts';
import { findPublicAuthor } from '../../store/accounts/authors.ts';
import type { ConversationDocument } from '../../store/conversations/conversations.ts';
import { findConversation } from '../../store/conversations/find-conversations.ts';
import { findNewestToRate } from '../../store/conversations/find-messages.ts';
import { findRatingForm } from '../../store/records/forms.ts';
import type { Api, HandlerResult, OpenRequest } from '../request.ts';
import { buildContactPrincipal, resolveStoredChat } from './chat-target.ts';
import { countStoredBytes } from './post.ts';

type Standing = Pick<ConversationDocument, 'organization' | 'status' | 'participants'> & { _id: string };

/** Returns the state of a conversation as the contact sees it (spec 10.11). */
export async function presentStanding(conversation: Standing): Promise<{
  status: Standing['status'];
  people: Author[];
  rating?: { takesComment: boolean };
}> {
  const { status, participants } = conversation;
  const [people, ratable] = await Promise.all([findPeople(participants), findRatable(conversation)]);
  return { status, people, ...(ratable && { rating: { takesComment: ratable.form.takesComment } }) };
}

/** Returns the names of the agents and admins who have accepted the conversation. */
async function findPeople(participants: Standing['participants']): Promise<Author[]> {
  const accepted = participants.filter(
    ({ accepted, role }) => accepted && (role === 'agent' || role === 'admin'),
  );
  const authors = await Promise.all(accepted.map(({ user }) => findPublicAuthor(user)));
  return authors.flatMap((author) => getVisibleAuthor('agent', author) ?? []);
}

/** Returns the form, and the last message of the contact. Null if the contact cannot rate now. */
async function findRatable(conversation: Standing) {
  const found = await findNewest(conversation);
  return found && mayRate(conversation.status, found.newest)
    ? { form: found.form, about: found.newest._id }
    : null;
}

/** Returns the form, and the newest message that is a rating or by the contact. */
async function findNewest({ _id, organization, status }: Standing) {
  if (status !== 'closed') return null;
  const form = await findRatingForm(organization);
  const newest = form && (await findNewestToRate(_id, form.id));
  return form && newest ? { form, newest } : null;
}

export const ratingInput = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: MAX_RATING }),
  comment: Type.Optional(text({ min: 0, max: MAX_COMMENT })),
});

async function isRepeated(given: Rating, conversation: Standing): Promise<boolean> {
  const found = await findNewest(conversation);
  return found?.newest.type === 'results' && isSameRating(given, found.form, found.newest.results);
}

/** PUT /c/{slug}/rating (spec 10.11): posts a message of type results as the contact. */
export async function putRating(
  request: OpenRequest<Static<typeof ratingInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { body } = request;
  countStoredBytes({ ...request, body: { text: body.comment ?? '' } }, api);
  const place = await resolveStoredChat(request, api);
  const { id, organization, contact = id } = place;
  const found = await findConversation({ organization }, id);
  const ratable = found && (await findRatable(found));
  // The response to the same request was lost.
  if (found && !ratable && (await isRepeated(body, found))) return { status: 204 };
  if (!ratable) throw unprocessable('The conversation cannot be rated now.');
  const { send } = await prepareMessages([buildRating(body, ratable.form, ratable.about)], id, {
    ...request,
    // Results need scope agent. The contact chooses only the values.
    principal: { ...buildContactPrincipal({ organization, contact }), scope: 'agent' },
    origin: 'message',
    deps: api.posting,
  });
  await send();
  return { status: 204 };
}
