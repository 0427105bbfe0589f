import {
  contactRecord,
  findContact,
  findContactsByIds,
  listContacts,
} from '../../../store/conversations/contacts.ts';
import { recordSource } from '../../records/resource.ts';

export const contacts = recordSource(contactRecord, {
  find: findContact,
  findMany: findContactsByIds,
  list: listContacts,
});
