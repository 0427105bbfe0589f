import { presentMessage } from '../../../application/presenters/message.ts';
import { findMessage } from '../../../store/conversations/find-messages.ts';
import type { MessageDocument } from '../../../store/conversations/messages.ts';
import type { MessageVersion } from '../../../domain/messages/edit.ts';
import type { EditTarget } from '../../records/unless-changed.ts';
import type { Api, ApiRequest } from '../../request.ts';

/** The message of a request's path, as it is seen by those who change it. */
export function messageTarget(
  { principal, id }: Pick<ApiRequest, 'principal' | 'id'>,
  { config }: Api,
): EditTarget<MessageDocument> {
  return {
    what: 'The message',
    find: () => findMessage(principal.reach, id),
    present: (found) => presentMessage(found, config.publicUrl),
  };
}

/** What the conversation's workflow is told of a message that has to be as it was seen. */
export function expectedVersion(seen: MessageDocument | undefined): { ifStand?: MessageVersion } {
  if (!seen) return {};
  const { sequence, editedIn } = seen;
  return {
    ifStand: {
      ...(sequence === undefined ? {} : { sequence }),
      ...(editedIn === undefined ? {} : { editedIn }),
    },
  };
}
