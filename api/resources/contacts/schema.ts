import {
  contactRecord,
  findContact,
  findContactsByIds,
  listContacts,
} from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import { recordSource } from '../../records/resource.ts';

export const contacts = recordSource<ContactDocument, 'contacts'>(contactRecord, {
  find: findContact,
  findMany: findContactsByIds,
  list: listContacts,
});
