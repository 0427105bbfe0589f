import { notFound } from '../../../domain/errors.ts';
import { toEventSnapshot } from '../../../domain/events/envelope.ts';
import { publish } from '../../../store/delivery/publish.ts';
import { removeContact as eraseContact, updateContact } from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import { toEventActor } from '../../../domain/events/event-record.ts';
import { eraseConversation } from '../conversations/conversations.ts';
import { recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { contacts } from './schema.ts';
import { presentContact } from '../../../application/presenters/presenters.ts';
import { eventId } from '../../../domain/events/event-name.ts';

/** DELETE /contacts/{id}: deletes the contact's conversation, too (spec 5.8). */
export async function removeContact(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const contact = await withIfMatch(request, recordTarget(contacts, request), (found, seen) =>
    claimUnchanged(found, { seen, request }),
  );
  if (!contact) throw notFound('The contact');
  return removeWithConversation(contact, request, api);
}

/** Changes the tag if there is an `If-Match`, so that concurrent requests with it fail. */
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
  const { conversation } = contact;
  // Erasing a conversation publishes the deletion of its contact.
  const gone = conversation !== undefined && (await eraseConversation({ id: conversation }, request, api));
  const removed = await eraseContact(contact);
  if (gone) {
    // The conversation was erased before it got this contact.
    if (removed) await publishDeletion(removed, request, api);
    return { status: 204 };
  }
  // The contact got a conversation in between.
  if (!removed) return removeContact({ ...request, ifMatch: '' }, api);
  await publishDeletion(removed, request, api);
  return { status: 204 };
}

async function publishDeletion(
  contact: ContactDocument,
  { principal, ids, receivedAt }: ApiRequest,
  { config }: Api,
): Promise<void> {
  const event = {
    id: eventId(ids.newId()),
    name: 'contact.delete',
    timestamp: receivedAt,
    organization: contact.organization,
    actor: toEventActor(principal),
    data: { contact: toEventSnapshot('contact', presentContact(contact)) },
  };
  await publish(event, config);
}
