import type { Static } from 'typebox';
import { notFound, unprocessable } from '../../domain/refusal.ts';
import { refuseMeta } from '../../domain/free-form.ts';
import { findContact, updateContact as writeContact } from '../../store/contacts.ts';
import { organizationLine } from '../../store/organizations.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, ApiRequest } from '../request.ts';
import { noteContactWords } from '../../store/search-words.ts';
import { contacts } from './present.ts';
import { permittedOrganization } from '../../posting/permitted-organization.ts';
import { normalProfile } from '../../posting/profile.ts';
import type { contactPatch } from './schema.ts';
import { withUniqueIdentifiers } from './unique.ts';

/** PATCH /contacts/{id}: `profile` and `meta` are replaced whole (spec 4.2). A contact stays in its organization, where its conversation is. */
export async function updateContact({
  principal,
  params,
  body,
}: ApiRequest<Static<typeof contactPatch>>): Promise<Answer> {
  const { profile, meta, organization } = body;
  if (meta) refuseMeta(meta);
  const contact = await findContact(principal.reach, params['id'] ?? '');
  if (!contact) throw notFound('The contact');
  if (
    (await permittedOrganization(principal, organization ?? contact.organization)) !== contact.organization
  ) {
    throw unprocessable('a contact cannot be moved', 'organization');
  }
  const { country } = (await organizationLine(contact.organization)) ?? {};
  const updated = await withUniqueIdentifiers(() =>
    writeContact(principal.reach, contact._id, {
      ...(profile === undefined ? {} : { profile: normalProfile(profile ?? {}, { country }) }),
      ...(meta === undefined ? {} : { meta: meta ?? {} }),
    }),
  );
  if (updated && profile !== undefined) await noteContactWords(updated);
  return recordAnswer(contacts, updated);
}
