import type { ContactDocument } from '../../store/contacts.ts';
import type { Resource } from '../records/answers.ts';
import { shown } from '../records/shown.ts';

/** A contact as the API shows it. */
export function presentContact(contact: ContactDocument): Record<string, unknown> {
  const { _id, organization, conversation, profile, meta, createdBy, createdAt, updatedAt } = contact;
  const own = { organization, conversation, profile, meta, createdBy, createdAt, updatedAt };
  return shown({ _id, ...own });
}

export const contacts: Resource<ContactDocument> = {
  path: '/contacts',
  what: 'The contact',
  present: presentContact,
};
