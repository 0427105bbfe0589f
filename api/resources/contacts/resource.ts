import { presentContact } from '../../../application/presenters/contact.ts';
import { findContact, findContactsByIds, listContacts } from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import type { RecordSource } from '../../records/resource.ts';
import { contactPaths, contactSchema } from './schema.ts';

export const contacts: RecordSource<ContactDocument, 'contacts'> = {
  name: 'contacts',
  schema: contactSchema,
  paths: contactPaths,
  present: presentContact,
  find: findContact,
  findMany: findContactsByIds,
  list: listContacts,
};
