import { notFound } from '../../../domain/errors.ts';
import { mergingError } from '../../../application/posting/merge-contacts.ts';
import { isMergeTarget } from '../../../store/conversations/contact-merges.ts';
import { publishEvent } from '../../pipeline/publish.ts';
import {
  contactRecord,
  findConversationsOf,
  removeContact as eraseContact,
  updateContact,
} from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import { eraseConversation } from '../conversations/conversations.ts';
import { recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { contacts } from './schema.ts';

/** DELETE /contacts/{id}: removes the contact and its conversations (spec 5.8). */
export async function removeContact(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const contact = await withIfMatch(request, recordTarget(contacts, request), (found, seen) =>
    claimUnchanged(found, { seen, request }),
  );
  if (!contact) throw notFound('The contact');
  return removeWithConversation(contact, request, api);
}

/** With `If-Match`, changes the ETag: concurrent requests with the same ETag fail. */
async function claimUnchanged(
  found: ContactDocument,
  { seen, request: { principal } }: { seen: ContactDocument | undefined; request: ApiRequest },
): Promise<ContactDocument | null> {
  return seen ? updateContact(principal.reach, found._id, {}, seen) : found;
}

async function removeWithConversation(
  contact: ContactDocument,
  request: ApiRequest,
  api: Api,
): Promise<HandlerResult> {
  if (await isMergeTarget(contact._id)) throw mergingError(contact._id);
  const { conversation } = contact;
  const all = await findConversationsOf(contact._id);
  for (const merged of all.filter((id) => id !== conversation))
    await eraseConversation({ id: merged }, request, api);
  // Erasing a conversation publishes the deletion of its contact.
  const gone = conversation !== undefined && (await eraseConversation({ id: conversation }, request, api));
  const removed = await eraseContact(contact);
  if (gone) {
    // If the conversation did not name this contact yet, the erasure published nothing.
    if (removed) await publishDeletion(removed, request, api);
    return { status: 204 };
  }
  // The contact has since got a conversation, or is gone: start again.
  if (!removed) return removeContact({ ...request, ifMatch: '' }, api);
  await publishDeletion(removed, request, api);
  return { status: 204 };
}

async function publishDeletion(contact: ContactDocument, request: ApiRequest, api: Api): Promise<void> {
  await publishEvent('contact.delete', { subject: { record: contactRecord.present(contact) }, request, api });
}
