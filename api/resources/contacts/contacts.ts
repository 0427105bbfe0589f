import type { Static } from 'typebox';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import {
  contactRecord,
  findContactBy,
  insertContact,
  updateContact as writeContact,
} from '../../../store/conversations/contacts.ts';
import type { ContactDocument, ContactIdentifier } from '../../../store/conversations/contacts.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { choosePermittedOrganization } from '../../../application/auth/principal.ts';
import {
  buildCreatedResult,
  buildRecordResult,
  recordTarget,
  withIfMatch,
  duplicateError,
  rejectDuplicate,
} from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { announceContact } from './announce.ts';
import { contacts } from './schema.ts';
import { normalProfile, profileWithoutBlanks } from '../../../application/posting/contacts.ts';
import { listOtherForms } from '../../../application/posting/telephone.ts';
import { changeFields, fillFields } from '../../../schema/record.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { unprocessable } from '../../../domain/errors.ts';
import { indexContact } from '../../../store/conversations/search-words.ts';

export async function createContact(
  request: ApiRequest<Static<typeof contactRecord.input>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { profile = {} } = body;
  assertValidFreeForm(body);
  const organization = await choosePermittedOrganization(principal, body.organization);
  const context = await organizationContext(organization);
  const now = new Date(receivedAt);
  const contact: ContactDocument = {
    ...fillFields(contactRecord.fields, body),
    _id: ids.newId(),
    organization,
    profile: normalProfile(profileWithoutBlanks(profile), { country: context?.country }),
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await assertNoOtherForm(contact);
  await withUniqueIdentifiers(contact, () => insertContact(contact));
  return buildCreatedResult(contacts, contact, api);
}

type UniqueFields = Pick<ContactDocument, '_id' | 'organization' | 'externalId' | 'profile'>;

type ContactPatch = Static<typeof contactRecord.patch>;

/** PATCH /contacts/{id}: replaces whole fields (spec 2.3). A contact keeps its organization. */
export async function updateContact(request: ApiRequest<ContactPatch>, api: Api): Promise<HandlerResult> {
  const { body } = request;
  let wasBlocked: boolean | undefined;
  const updated = await withIfMatch(request, recordTarget(contacts, request), (contact, seen) => {
    wasBlocked = contact.blocked;
    return changeContactFields(request, { contact, seen }, body);
  });
  if (updated && body.profile !== undefined) await indexContact(updated);
  if (updated && updated.blocked !== wasBlocked) await announceContact(updated._id, request, api);
  return buildRecordResult(contacts, updated);
}

/** Returns null if the contact differs from `seen`. */
export async function changeContactFields(
  { principal }: Pick<ApiRequest, 'principal'>,
  { contact, seen }: { contact: ContactDocument; seen: ContactDocument | undefined },
  { profile, settings, meta, organization, externalId, blocked }: ContactPatch,
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
    ...changeFields(contactRecord.fields, { settings, meta, externalId, blocked }),
    ...(profile === undefined
      ? {}
      : { profile: normalProfile(profile ?? {}, { country, stored: contact.profile }) }),
  };
  const changed = { ...contact, ...definedFields(patch) };
  if (changed.profile.telephone !== contact.profile.telephone) await assertNoOtherForm(changed);
  return withUniqueIdentifiers(changed, () => writeContact(principal.reach, contact._id, patch, seen));
}

const TAKEN = 'is taken by another contact of the organization';

/** Throws DomainError `conflict` if another contact has the number in its other form (spec 4.4). */
async function assertNoOtherForm({ _id, organization, profile }: UniqueFields): Promise<void> {
  for (const form of listOtherForms(profile.telephone ?? '')) {
    const found = await findContactBy(organization, { 'profile.telephone': form });
    if (!found || found._id === _id) continue;
    const conflict = { resource: 'contacts' as const, id: found._id };
    throw duplicateError({ path: 'profile.telephone', message: TAKEN, conflict });
  }
}

/** Names the field and the contact that has its value (spec 2.4). */
function withUniqueIdentifiers<T>(
  { _id, organization, externalId, profile }: UniqueFields,
  write: () => Promise<T>,
): Promise<T> {
  return rejectDuplicate(async () => {
    const given = [
      ['externalId', externalId],
      ['profile.email', profile.email],
      ['profile.telephone', profile.telephone],
    ] as const;
    for (const [path, value] of given) {
      const found = value && (await findContactBy(organization, { [path]: value } as ContactIdentifier));
      if (found && found._id !== _id) {
        return { path, message: TAKEN, conflict: { resource: 'contacts', id: found._id } };
      }
    }
    return { path: 'profile', message: TAKEN };
  }, write);
}
