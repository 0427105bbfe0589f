import { createHash } from 'node:crypto';
import type { Caller } from '../../domain/conversations/caller.ts';
import { fingerprintText } from '../../domain/messages/fingerprint.ts';
import { collectLookups } from '../../domain/query/lookups.ts';
import type { MessageDraft, MessageFacts, UserFacts } from '../../domain/messages/message.ts';
import { unprocessable } from '../../domain/refusal.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { findReachable } from '../../store/records/channels.ts';
import { findUsers } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { contactValue } from './contact-value.ts';
import { loadFormFacts } from './form-facts.ts';
import type { Principal } from '../auth/principal.ts';

/** For whom and where a message is posted. */
export interface Posting {
  principal: Principal;
  origin: Caller['origin'];
  place: ConversationRef;
}

/**
 * Looks up what the rules ask about a message. Throws DomainError where a command, field or form is
 * malformed, or names what does not exist.
 */
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
