import { isBlank } from '../characters.ts';
import type { ConversationStatus } from '../conversations/conversation.ts';
import type { MessageInput } from './draft.ts';

/** The highest rating. The lowest is 1. */
export const MAX_RATING = 5;
export const MAX_COMMENT = 2_000;

/** The externalId of a contact's rating begins with it. Results that agents post have another. */
export const RATING_ID = 'rating:';

/** A form in which a contact can rate a conversation (spec 10.11). */
export interface RatingForm {
  id: string;
  name: string;
  takesComment: boolean;
}

export interface Rating {
  rating: number;
  comment?: string | undefined;
}

/** Returns null if the form has no field `rating`. */
export function toRatingForm({
  _id: id,
  name,
  fields,
}: {
  _id: string;
  name: string;
  fields: readonly { key: string }[];
}): RatingForm | null {
  const has = (wanted: string) => fields.some(({ key }) => key === wanted);
  return has('rating') ? { id, name, takesComment: has('comment') } : null;
}

/**
 * Returns whether the contact may rate now: the conversation is closed, and the contact has written
 * since the last rating. `newest`: the newest message that is a rating or by the contact.
 */
export function mayRate(
  status: ConversationStatus,
  newest: { type: MessageInput['type'] } | null,
): newest is NonNullable<typeof newest> {
  return status === 'closed' && newest !== null && newest.type !== 'results';
}

/** Returns the rating in the last result of the form. */
export function findRating(
  results: readonly { form: string; values?: Record<string, unknown> }[],
  form: string,
): number | undefined {
  const value = results.findLast((result) => result.form === form)?.values?.['rating'];
  return /^[1-5]$/.test(String(value)) ? Number(value) : undefined;
}

/** Returns the message of type results. `about`: the contact's last message before the rating. */
export function buildRating(
  { rating, comment }: Rating,
  { id: form, name: formName, takesComment }: RatingForm,
  about: string,
): MessageInput {
  const values = toValues({ rating, comment }, takesComment);
  return {
    type: 'results',
    text: `${rating}/${MAX_RATING}`,
    touchpoint: 'web',
    externalId: `${RATING_ID}${about}`,
    results: [{ form, formName, values }],
  };
}

function toValues({ rating, comment = '' }: Rating, takesComment: boolean): Record<string, unknown> {
  return { rating, ...(takesComment && !isBlank(comment) && { comment }) };
}

/** Returns whether the results have this rating: the contact did not get the response. */
export function isSameRating(
  given: Rating,
  { id, takesComment }: RatingForm,
  results: readonly { form: string; values?: Record<string, unknown> }[] = [],
): boolean {
  const before = results.find(({ form }) => form === id)?.values ?? {};
  const { rating, comment } = toValues(given, takesComment);
  return before['rating'] === rating && before['comment'] === comment;
}
