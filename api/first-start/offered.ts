import { DomainError } from '../../domain/errors.ts';
import type { Api, OpenRequest } from '../request.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import { findRootOrganization } from '../../store/records/organizations.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

type Config = Pick<Api['config'], 'echoBot' | 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * Returns whether the launcher enabled the echo bot and only this machine can connect (spec 12.4).
 * `publicUrl` must be on loopback too, because a proxy could make a loopback listener public.
 */
export function offersEchoBot({ echoBot, host, publicUrl, trustedProxies }: Config): boolean {
  const isAlone = LOOPBACK.test(host) && isLoopback(publicUrl);
  return echoBot && isAlone && trustedProxies === 0;
}

/**
 * Throws DomainError `forbidden` unless `Origin` and `Host` are a loopback address with this port.
 * Another `Host` may come from a tunnel or DNS rebinding.
 */
export function assertOwnPage({ client }: Pick<OpenRequest, 'client'>, port: number): void {
  const isOurs = [client.origin, `http://${client.host}`].every((address) => isOwnAddress(address, port));
  if (!isOurs) throw new DomainError('forbidden', 'Only the start page may send this request.');
}

/** Accepts any port. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && LOOPBACK.test(new URL(address).hostname);
}

export function isOwnAddress(address: string, port: number): boolean {
  return isLoopback(address) && new URL(address).port === String(port === 80 ? '' : port);
}

/** The email proves nothing: `findEchoBot` checks the user. */
export const ECHO_BOT = 'echo-bot@parlance.local';

/**
 * Returns undefined without an echo bot. Throws DomainError `conflict` if the bot or its
 * organization is not as the first start created it.
 */
export async function findEchoBot(): Promise<UserDocument | undefined> {
  const [bot, root] = await Promise.all([findAccount({ email: ECHO_BOT }), findRootOrganization()]);
  if (!bot || !root) return undefined;
  assertMadeHere(bot, { role: 'bot', organization: bot.organization, createdBy: root._id });
  const home = await findOrganization({ organization: root._id }, bot.organization);
  if (home?.createdBy !== root._id) throw changedAccountError(bot);
  return bot;
}

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
