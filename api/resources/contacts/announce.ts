import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import { findConversationsOfContact } from '../../../store/conversations/find-conversations.ts';
import type { Api, ApiRequest } from '../../request.ts';

const MAX_WAIT_MS = 2_000;

/**
 * Changes the conversations of a contact without an effect, so that streams publish them (spec
 * 5.12). The change of the contact is already stored, so failures are only logged.
 */
export async function announceContact(
  contact: string,
  { principal, ids }: Pick<ApiRequest, 'principal' | 'ids'>,
  { temporal, log }: Pick<Api, 'temporal' | 'log'>,
): Promise<void> {
  const announce = async (conversation: string) => {
    try {
      await temporal.conversations.amend(conversation, { id: ids.newId(), by: principal.user, effects: [] });
    } catch (err) {
      log.warn({ err, conversation }, 'a change of the contact was not announced');
    }
  };
  const conversations = await findConversationsOfContact(contact);
  await withTimeout(Promise.all(conversations.map(announce)), MAX_WAIT_MS, () => undefined);
}
