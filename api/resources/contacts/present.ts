import { presentContact } from '../../../presenters/contact.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import type { Resource } from '../../records/resource.ts';

export const contacts: Resource<ContactDocument> = {
  path: '/contacts',
  what: 'The contact',
  present: presentContact,
};
