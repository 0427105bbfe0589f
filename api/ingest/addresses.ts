import { createHash, randomBytes } from 'node:crypto';
import { isWithinReach } from '../../store/queries/reach.ts';
import { DomainError } from '../../domain/errors.ts';
import { notFound } from '../../domain/refusal.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { EventTypeDocument, IngestAddress } from '../../store/records/eventtypes.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** An event type with its address. */
export type IngestEventType = EventTypeDocument & { ingest: IngestAddress };

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text could be a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What the store knows of a token: it has 256 random bits, so a digest cannot be turned back. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Whom an address posts for, with what they may do now. Throws DomainError `not_found` where the
 * bot is gone, `forbidden` where it is no bot any more, or no longer in the event type's
 * organization or below.
 */
export async function loadSender({ _id, organization, ingest }: IngestEventType): Promise<Principal> {
  const user = await findAccount({ _id: ingest.user });
  if (!user) throw notFound('The ingest address');
  if (user.role !== 'bot' || !(await isWithinReach({ organization }, user.organization))) {
    throw new DomainError('forbidden', 'The user that this address posts as may not post events any more.');
  }
  return {
    user: user._id,
    organization: user.organization,
    role: user.role,
    scope: 'bot',
    reach: { organization: user.organization },
    credential: { ingest: _id },
  };
}
