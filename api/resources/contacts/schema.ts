import Type from 'typebox';
import { buildPaths } from '../../listing/paths.ts';
import { contactProfile, newProfile } from '../../../application/schema/conversation-body.ts';
import {
  Meta,
  OwnedBy,
  Owner,
  Settings,
  idOf,
  madeAndChanged,
  named,
  object,
  patchOf,
} from '../../../application/schema/kinds.ts';
import { presentContact } from '../../../application/presenters/presenters.ts';
import { findContact, findContactsByIds, listContacts } from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import type { RecordSource } from '../../records/resource.ts';

const fields = {
  settings: Type.Optional(Settings),
  meta: Type.Optional(Meta),
};

export const contactInput = object('ContactInput', 'A contact to create.', {
  organization: OwnedBy,
  profile: Type.Optional(newProfile),
  ...fields,
});

export const contactPatch = named(
  'ContactPatch',
  patchOf(Type.Object({ organization: OwnedBy, profile: Type.Optional(contactProfile), ...fields }), [
    'organization',
  ]),
);

const contactSchema = object('Contact', 'A consumer who writes to the organization.', {
  id: idOf('contacts', 'Its id.'),
  organization: Owner,
  conversation: Type.Optional(idOf('conversations', 'The conversation of the contact, once there is one.')),
  profile: contactProfile,
  settings: Settings,
  meta: Meta,
  ...madeAndChanged,
});

/** Fields that queries may use. */
export const contactPaths = buildPaths(contactSchema);

export const contacts: RecordSource<ContactDocument, 'contacts'> = {
  name: 'contacts',
  schema: contactSchema,
  paths: contactPaths,
  present: presentContact,
  find: findContact,
  findMany: findContactsByIds,
  list: listContacts,
};
