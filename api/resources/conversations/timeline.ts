import Type from 'typebox';
import { findAuthors } from '../../../store/accounts/authors.ts';
import { USER_ROLES } from '../../../domain/scope.ts';
import { Address, about, idOf, object, oneOf } from '../../../application/schema/kinds.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { listConversationMessages } from '../messages/list.ts';
import { messageSchema } from '../messages/schema.ts';

/** A message with who wrote it. */
export const timelineSchema = object('TimelineMessage', 'A message, with who wrote it.', {
  ...messageSchema.properties,
  author: Type.Optional(
    object('Author', 'Who wrote it, of a user.', {
      id: idOf('users', 'Their id.'),
      name: Type.Optional(
        about(
          Type.String(),
          'Their name; absent where they are not yours to see and have none.',
          'Ada Lovelace',
        ),
      ),
      role: Type.Optional(
        about(oneOf(USER_ROLES), 'Their role; absent where they are not yours to see.', 'agent'),
      ),
      avatar: Type.Optional(about(Address, 'A picture.', 'https://example.com/ada.png')),
    }),
  ),
});

/**
 * GET /conversations/{id}/timeline: the messages of a conversation that the caller may see, as a
 * list, with the names of their authors: what an agent reads (spec 12.2).
 */
export function readTimeline(request: ApiRequest, api: Api): Promise<HandlerResult> {
  return listConversationMessages(request, api, {
    name: 'timeline',
    async show(messages) {
      const written = messages.filter(({ role }) => role !== 'contact');
      const authors = await findAuthors(request.principal.reach, [
        ...new Set(written.flatMap(({ user }) => user ?? [])),
      ]);
      return messages.map((message) => {
        const author = message.role === 'contact' ? undefined : authors.get(message.user ?? '');
        return author ? { ...message, author } : message;
      });
    },
  });
}
