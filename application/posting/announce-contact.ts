import { toEventActor } from '../../domain/events/actor.ts';
import { eventId } from '../../domain/events/event-id.ts';
import { presentContact } from '../presenters/contact.ts';
import type { ContactDocument } from '../../store/conversations/contacts.ts';
import { publish } from '../../store/delivery/publish.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';

/** Tells webhooks of a contact that was made. However often it is told, it is heard once. */
export async function announceContact(
  contact: ContactDocument,
  { request: { principal }, deps }: { request: Pick<PostingContext, 'principal'>; deps: PostingDeps },
): Promise<void> {
  await publish(
    {
      id: eventId(contact._id),
      name: 'contact.create',
      timestamp: contact.createdAt.toISOString(),
      organization: contact.organization,
      actor: toEventActor(principal),
      data: { contact: presentContact(contact) },
    },
    deps.config,
  );
}
