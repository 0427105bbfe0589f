import { DomainError } from '../../domain/errors.ts';
import type { Api, OpenRequest } from '../request.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import { findRootOrganization } from '../../store/records/organizations.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

type Config = Pick<Api['config'], 'echoBot' | 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * Whether the start page offers a conversation with the echo bot (spec 12.4): where the launcher
 * asked for it, and only this machine can connect. A process that listens on loopback hears nobody
 * else; a proxy before it would, and is told by the address that people use.
 */
export function offersEchoBot({ echoBot, host, publicUrl, trustedProxies }: Config): boolean {
  const isAlone = LOOPBACK.test(host) && isLoopback(publicUrl);
  return echoBot && isAlone && trustedProxies === 0;
}

/**
 * Throws DomainError `forbidden` unless the page that asks is one of ours: another website, or
 * another program on this machine, may send a form as well. `Host` differs where a tunnel or a
 * rebound name leads here.
 */
export function assertOwnPage({ client }: Pick<OpenRequest, 'client'>, port: number): void {
  const isOurs = [client.origin, `http://${client.host}`].every((address) => isOwnAddress(address, port));
  if (!isOurs) throw new DomainError('forbidden', 'Only the start page asks for this.');
}

/** Returns whether an address is on loopback, on any port. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && LOOPBACK.test(new URL(address).hostname);
}

/** Returns whether an address is this port of loopback. */
export function isOwnAddress(address: string, port: number): boolean {
  return isLoopback(address) && new URL(address).port === String(port === 80 ? '' : port);
}

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
