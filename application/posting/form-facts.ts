import type { MessageDraft, MessageFacts } from '../../domain/messages/message.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { findTopics } from '../../store/conversations/find-conversations.ts';
import { findFormFor } from '../../store/records/forms.ts';
import { organizationContext } from '../../store/records/organizations.ts';

/**
 * The form that a message means by id or name, as the rules see it; nothing if there is none.
 * Several forms may have one name: a field means the one that is open, a form message the one of
 * the category at hand.
 */
export async function loadFormFacts(
  idOrName: string,
  draft: Pick<MessageDraft, 'type' | 'meta'>,
  place: ConversationRef,
): Promise<Pick<MessageFacts, 'form'>> {
  const [line, topics] = await Promise.all([organizationContext(place.organization), findTopics(place.id)]);
  const { category, categoryIndex } = place.category === undefined ? topics : place;
  const categories = line?.categories ?? [];
  const listedUnder = (category: unknown, index: unknown) =>
    categories.flatMap((one, at) =>
      one.name === category || (index != null && at === Number(index)) ? one.forms : [],
    );
  const ofCategory = [
    ...listedUnder(draft.meta?.['category'], draft.meta?.['categoryIndex']),
    ...listedUnder(category, categoryIndex),
  ];
  const open = topics.forms.map(({ form }) => form);
  const meant = draft.type === 'field' ? [...open, ...ofCategory] : [...ofCategory, ...open];
  const listed = [...new Set([...meant, ...categories.flatMap(({ forms }) => forms)])];
  const found = await findFormFor({ path: line?.path ?? [place.organization], listed }, idOrName);
  if (!found) return {};
  const { _id, name, type, fields } = found;
  return { form: { id: _id, name, type, keys: fields.map(({ key }) => key) } };
}
