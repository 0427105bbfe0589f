import { shown } from '../domain/shown.ts';
import type { ContactDocument } from '../store/conversations/contacts.ts';

/** A contact as the API and webhooks show it. */
export function presentContact(contact: ContactDocument): Record<string, unknown> {
  const { _id, organization, conversation, profile, settings = {}, meta } = contact;
  const { createdBy, createdAt, updatedAt } = contact;
  const own = { organization, conversation, profile, settings, meta };
  const made = { createdBy, createdAt, updatedAt };
  return shown({ ...{ _id, ...own, ...made } });
}
