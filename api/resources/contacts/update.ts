import type { Static } from 'typebox';
import { unprocessable } from '../../../domain/refusal.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { updateContact as writeContact } from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { buildRecordResult } from '../../records/answers.ts';
import { recordTarget, withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { indexContact } from '../../../store/conversations/search-words.ts';
import { contacts } from './resource.ts';
import { choosePermittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { normalProfile } from '../../../application/posting/profile.ts';
import type { contactPatch } from './schema.ts';
import { withUniqueIdentifiers } from './unique.ts';

type ContactPatch = Static<typeof contactPatch>;

/**
 * PATCH /contacts/{id}: `profile`, `settings` and `meta` are replaced whole (spec 2.3). A contact
 * stays in its organization, where its conversation is.
 */
export async function updateContact(request: ApiRequest<ContactPatch>): Promise<HandlerResult> {
  const { body } = request;
  const updated = await withIfMatch(request, recordTarget(contacts, request), (contact, seen) =>
    change(request, { contact, seen }),
  );
  if (updated && body.profile !== undefined) await indexContact(updated);
  return buildRecordResult(contacts, updated);
}

async function change(
  { principal, body: { profile, settings, meta, organization } }: ApiRequest<ContactPatch>,
  { contact, seen }: { contact: ContactDocument; seen: ContactDocument | undefined },
): Promise<ContactDocument | null> {
  assertValidFreeForm({ settings, meta });
  if (
    (await choosePermittedOrganization(principal, organization ?? contact.organization)) !==
    contact.organization
  ) {
    throw unprocessable('a contact cannot be moved', 'organization');
  }
  const { country } = (await organizationContext(contact.organization)) ?? {};
  const patch = {
    ...(profile === undefined
      ? {}
      : { profile: normalProfile(profile ?? {}, { country, stored: contact.profile }) }),
    ...(settings === undefined ? {} : { settings }),
    ...(meta === undefined ? {} : { meta: meta ?? {} }),
  };
  return withUniqueIdentifiers(() => writeContact(principal.reach, contact._id, patch, seen));
}
