import { DomainError } from '../../domain/errors.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import { findRootOrganization } from '../../store/records/organizations.ts';

/** The email of the echo bot. It proves nothing: another user may have taken it. */
export const ECHO_BOT = 'echo-bot@parlance.local';

/**
 * Returns the echo bot as the first start creates it, in an organization that it created as well;
 * undefined without a user of its email. Throws DomainError `conflict` for another user
 * with its email, or where the bot has been changed since.
 */
export async function findEchoBot(): Promise<UserDocument | undefined> {
  const [bot, root] = await Promise.all([findAccount({ email: ECHO_BOT }), findRootOrganization()]);
  if (!bot || !root) return undefined;
  assertMadeHere(bot, { role: 'bot', organization: bot.organization, createdBy: root._id });
  const home = await findOrganization({ organization: root._id }, bot.organization);
  if (home?.createdBy !== root._id) throw changedAccountError(bot);
  return bot;
}

/**
 * Throws DomainError `conflict` unless the first start created the user, with the same rights as
 * now.
 */
export function assertMadeHere(
  user: UserDocument,
  { role, organization, createdBy }: Pick<UserDocument, 'role' | 'organization'> & { createdBy: string },
): void {
  const isMade =
    user.role === role &&
    user.organization === organization &&
    user.createdBy === createdBy &&
    user.passwordHash === undefined;
  if (!isMade) throw changedAccountError(user);
}

function changedAccountError({ email }: UserDocument): DomainError {
  return new DomainError(
    'conflict',
    `The user ${email} is not as the first start creates it. Remove this user and press again.`,
  );
}
