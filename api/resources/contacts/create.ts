import type { Static } from 'typebox';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { insertContact } from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { choosePermittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { buildCreatedResult } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { contacts } from './resource.ts';
import { normalProfile } from '../../../application/posting/profile.ts';
import { profileWithoutBlanks } from '../../../application/posting/without-blanks.ts';
import type { contactInput } from './schema.ts';
import { withUniqueIdentifiers } from './unique.ts';

/** POST /contacts. */
export async function createContact(
  request: ApiRequest<Static<typeof contactInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { profile = {}, settings, meta = {} } = body;
  assertValidFreeForm(body);
  const organization = await choosePermittedOrganization(principal, body.organization);
  const context = await organizationContext(organization);
  const now = new Date(receivedAt);
  const contact: ContactDocument = {
    _id: ids.newId(),
    organization,
    profile: normalProfile(profileWithoutBlanks(profile), { country: context?.country }),
    ...(settings === undefined ? {} : { settings }),
    meta,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await withUniqueIdentifiers(() => insertContact(contact));
  return buildCreatedResult(contacts, contact, api);
}
