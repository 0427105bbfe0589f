import type { Static } from 'typebox';
import { notFound } from '../../domain/refusal.ts';
import { refuseMeta } from '../../domain/free-form.ts';
import { findContact, updateContact as writeContact } from '../../store/contacts.ts';
import { organizationLine } from '../../store/organizations.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, ApiRequest } from '../request.ts';
import { contacts } from './present.ts';
import { normalProfile } from '../../posting/profile.ts';
import type { contactPatch } from './schema.ts';
import { withUniqueIdentifiers } from './unique.ts';

/** PATCH /contacts/{id}: `profile` and `meta` are replaced whole (spec 4.2). */
export async function updateContact({
  principal,
  params,
  body,
}: ApiRequest<Static<typeof contactPatch>>): Promise<Answer> {
  const { profile, meta } = body;
  if (meta) refuseMeta(meta);
  const contact = await findContact(principal.reach, params['id'] ?? '');
  if (!contact) throw notFound('The contact');
  const { country } = (await organizationLine(contact.organization)) ?? {};
  const updated = await withUniqueIdentifiers(() =>
    writeContact(principal.reach, contact._id, {
      ...(profile === undefined ? {} : { profile: normalProfile(profile ?? {}, { country }) }),
      ...(meta === undefined ? {} : { meta: meta ?? {} }),
    }),
  );
  return recordAnswer(contacts, updated);
}
