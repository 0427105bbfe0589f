import { createHash, randomBytes } from 'node:crypto';
import { verifyToken } from '../../../application/auth/authority.ts';
import type { Authority } from '../../../application/auth/authority.ts';
import type { Claims } from '../../../application/auth/jwt.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import { DomainError } from '../../../domain/errors.ts';
import { insertStreamTicket, useStreamTicket } from '../../../store/accounts/stream-tickets.ts';

export async function issueTicket(
  { conversation, token, principal }: { conversation: string; token: string; principal: Principal },
  { jwt }: Authority,
): Promise<{ ticket: string; expiresAt: Date }> {
  const claims = await verifyToken(jwt, token);
  const ticket = randomBytes(32).toString('base64url');
  const { scope } = principal;
  const expiresAt = await insertStreamTicket({
    _id: digest(ticket),
    conversation,
    claims: { ...claims },
    scope,
  });
  return { ticket, expiresAt };
}

/**
 * Returns a token with the original token's claims and expiry. Throws DomainError `unauthenticated`
 * for a used or expired ticket, another stream, or a changed scope. Also throws the errors of
 * `authenticate`.
 */
export async function redeemTicket(
  { ticket, conversation }: { ticket: string; conversation: string },
  { jwt, authenticate }: Authority,
): Promise<string> {
  const found = await useStreamTicket(digest(ticket), conversation);
  if (!found) throw invalidTicketError('it was used, is older than a minute, or is for another stream');
  // The token itself is not stored.
  const token = await jwt.sign(found.claims as unknown as Claims);
  const { scope } = await authenticate(token);
  if (scope !== found.scope) throw invalidTicketError('what you may do has changed');
  return token;
}

function invalidTicketError(why: string): DomainError {
  return new DomainError('unauthenticated', `The ticket is not valid: ${why}. Ask for a new one.`);
}

function digest(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}
