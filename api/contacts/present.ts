import { presentContact } from '../../posting/present-contact.ts';
import type { ContactDocument } from '../../store/contacts.ts';
import type { Resource } from '../records/answers.ts';

export const contacts: Resource<ContactDocument> = {
  path: '/contacts',
  what: 'The contact',
  present: presentContact,
};
