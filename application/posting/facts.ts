import { createHash } from 'node:crypto';
import type { Caller } from '../../domain/conversations/caller.ts';
import { fingerprintText } from '../../domain/messages/message.ts';
import { collectLookups } from '../../domain/query/lookups.ts';
import type { MessageDraft, MessageFacts, UserFacts } from '../../domain/messages/message.ts';
import { unprocessable, DomainError } from '../../domain/errors.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { findReachable } from '../../store/records/channels.ts';
import { findUsers } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import type { Principal } from '../auth/principal.ts';
import { assertAddressFits } from '../../domain/effects/contact-effects.ts';
import { parseEmail } from '../../domain/email.ts';
import { findAddress } from '../../store/conversations/contacts.ts';
import { findContactByIdentifiers } from './find-or-create-contact.ts';
import { parseTelephone } from './telephone.ts';
import { findTopics } from '../../store/conversations/find-conversations.ts';
import { findFormFor } from '../../store/records/forms.ts';

export interface Posting {
  principal: Principal;
  origin: Caller['origin'];
  place: ConversationRef;
}

/** Throws DomainError for a malformed message, or for a message with an unknown record. */
export async function loadFacts(draft: MessageDraft, posting: Posting): Promise<MessageFacts> {
  const [sender, found] = await Promise.all([
    loadSenderFacts(draft, posting.principal),
    loadReferencedFacts(draft, posting),
  ]);
  return { ...computeFingerprint(draft, posting), ...(sender ? { sender } : {}), ...found };
}

function computeFingerprint(
  draft: MessageDraft,
  { principal, origin }: Posting,
): Pick<MessageFacts, 'fingerprint'> {
  const counts = principal.role === 'bot' && origin === 'message' && draft.role !== 'contact';
  if (!counts) return {};
  return { fingerprint: createHash('sha256').update(fingerprintText(draft)).digest('base64url') };
}

async function loadSenderFacts({ user }: MessageDraft, principal: Principal): Promise<UserFacts | undefined> {
  if (user === undefined) return undefined;
  if (user === principal.user) return { user, organization: principal.organization, role: principal.role };
  const [found] = await findUsers(principal.reach, [user]);
  if (!found) throw unprocessable('there is no such user', 'user');
  return toUserFacts(found);
}

async function loadReferencedFacts(
  draft: MessageDraft,
  { principal, place }: Posting,
): Promise<MessageFacts> {
  const { categories, form, assignees, contact, channels } = collectLookups(draft);
  return {
    ...(categories ? { categories: (await organizationContext(place.organization))?.categories ?? [] } : {}),
    ...(form === undefined ? {} : await loadFormFacts(form, draft, place)),
    ...(assignees ? { assignees: (await findUsers(principal.reach, assignees)).map(toUserFacts) } : {}),
    ...(contact ? { contactValue: await contactValue(contact, place) } : {}),
    ...(channels ? { channels: await findReachable(place.organization, channels) } : {}),
  };
}

function toUserFacts({ _id, organization, role }: UserDocument): UserFacts {
  return { user: _id, organization, role };
}

/** Normalizes. Throws DomainError if invalid, `conflict` if another contact has the value. */
async function contactValue(
  { field, value }: { field: string; value: string },
  { organization, contact }: ConversationRef,
): Promise<string> {
  if (field.startsWith('address.')) await assertAddressNotLonger(field, contact);
  if (field !== 'email' && field !== 'telephone') return value;
  const stored =
    field === 'email'
      ? parseEmail(value, field)
      : parseTelephone(value, (await organizationContext(organization))?.country, field);
  const holder = await findContactByIdentifiers(organization, { [field]: stored });
  if (holder && holder._id !== contact) {
    throw new DomainError('conflict', `Another contact of the organization has this ${field}.`);
  }
  return stored;
}

// Fails early; the conversation checks again.
async function assertAddressNotLonger(field: string, contact: string | undefined): Promise<void> {
  const address = contact === undefined ? {} : await findAddress(contact);
  const longer = { ...address, [field.slice('address.'.length)]: '' };
  assertAddressFits({ address }, { address: longer });
}

/**
 * Finds the form. If several forms share a name, a field message means the open form, a form
 * message the category's form.
 */
async function loadFormFacts(
  idOrName: string,
  draft: Pick<MessageDraft, 'type' | 'meta'>,
  place: ConversationRef,
): Promise<Pick<MessageFacts, 'form'>> {
  const [line, topics] = await Promise.all([organizationContext(place.organization), findTopics(place.id)]);
  const { category, categoryIndex } = place.category === undefined ? topics : place;
  const categories = line?.categories ?? [];
  const listedUnder = (category: unknown, index: unknown) =>
    categories.flatMap((one, at) =>
      one.name === category || (index != null && at === Number(index)) ? one.forms : [],
    );
  const ofCategory = [
    ...listedUnder(draft.meta?.['category'], draft.meta?.['categoryIndex']),
    ...listedUnder(category, categoryIndex),
  ];
  const open = topics.forms.map(({ form }) => form);
  const meant = draft.type === 'field' ? [...open, ...ofCategory] : [...ofCategory, ...open];
  const listed = [...new Set([...meant, ...categories.flatMap(({ forms }) => forms)])];
  const found = await findFormFor({ path: line?.path ?? [place.organization], listed }, idOrName);
  if (!found) return {};
  const { _id, name, type, fields } = found;
  return { form: { id: _id, name, type, keys: fields.map(({ key }) => key) } };
}
