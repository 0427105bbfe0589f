import type { Static } from 'typebox';
import { INVITATION_LIMIT, LINK_LIFETIMES, chooseMailLanguage } from '../../../domain/account-mail.ts';
import { loginEmail } from '../../../domain/email.ts';
import { DomainError, notFound, unprocessable } from '../../../domain/errors.ts';
import { acceptedLanguages } from '../../../domain/languages.ts';
import { LOGIN_LOCK_OUT, lockedForSeconds } from '../../../domain/limits/lock-out.ts';
import type { LockOut } from '../../../domain/limits/lock-out.ts';
import { isReservedEmail } from '../../../domain/scope.ts';
import { endFamilies } from '../../../store/accounts/tokens.ts';
import { findUser, updateUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { countAttempt } from '../../../store/accounts/lock-outs.ts';
import { findActiveMailService } from '../../../store/delivery/channels.ts';
import { findLinkedUser, issuePasswordLink } from '../../../application/auth/password-link.ts';
import { createSlugEncryption } from '../../../application/posting/encryption.ts';
import type { Api, ApiRequest, HandlerResult, OpenRequest } from '../../request.ts';
import { assertNotOfFirstStart } from '../users/users.ts';
import { assertNotPeerAdmin } from './credentials.ts';
import { hashPassword } from './password.ts';
import type { LinkMail, passwordInput, passwordLinkInput, resetInput } from './schema.ts';

/** A mail server that needs longer may still take the mail. */
const WAIT_MS = 10_000;

/** POST /users/{id}/password-link (spec 3.9) */
export async function createPasswordLink(
  request: ApiRequest<Static<typeof passwordLinkInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, id, body } = request;
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  // The creator could have set the first password.
  const isInvitation = user.passwordHash === undefined && user.createdBy === principal.user;
  if (!isInvitation) assertNotPeerAdmin(principal, user);
  await assertNotOfFirstStart(user);
  const mail = body.mail ? await mailLink(user, request, api) : undefined;
  const { publicUrl } = api.config;
  const link = await issuePasswordLink(user, LINK_LIFETIMES.invitation, {
    jwt: api.authority.jwt,
    publicUrl,
  });
  if (!mail) return { status: 200, body: link };
  const { url, expiresAt } = link;
  return { status: 200, body: { ...(mail.status === 'sent' ? {} : { url }), expiresAt, mail } };
}

/** Sends the link by mail, if there is a mail server (spec 3.10). */
async function mailLink(
  user: UserDocument,
  { principal, client }: Pick<ApiRequest, 'principal' | 'client'>,
  api: Api,
): Promise<LinkMail> {
  const { email: to, role } = user;
  if (role === 'bot' || isReservedEmail(to) || !(await canSendTo(user, api)))
    return { status: 'unavailable', to };
  await countMail(`invitations of ${principal.organization}`, INVITATION_LIMIT);
  await countMail(`mail to ${to}`);
  const inviter = await findUser(principal.reach, principal.user);
  const language = chooseMailLanguage(
    { settings: inviter?.settings },
    null,
    acceptedLanguages(client.languages),
  );
  const input = { kind: 'invitation', recipient: user._id, language } as const;
  const result = await api.temporal.sendAccountMail(input, WAIT_MS);
  if (!result) return { status: 'waiting', to };
  return result.status === 'skipped' ? { status: 'unavailable', to } : { ...result, to };
}

async function canSendTo({ organization }: UserDocument, { config }: Pick<Api, 'config'>): Promise<boolean> {
  return config.ownMail !== undefined || (await findActiveMailService(organization)) !== null;
}

/**
 * POST /auth/password-reset (spec 3.10). The worker looks for the user, so that neither the
 * response nor its time shows which emails have an account.
 */
export async function requestPasswordReset(
  { body, client }: OpenRequest<Static<typeof resetInput>>,
  { config, temporal }: Api,
): Promise<HandlerResult> {
  if (!config.ownMail) {
    throw unprocessable('This server sends no mail. An admin of your organization can give you a link.');
  }
  const email = loginEmail(body.email);
  await countMail(`password resets from ${client.address}`);
  await countMail(`mail to ${email}`);
  const recipient = createSlugEncryption(config.authSecret).encrypt(email);
  const language = chooseMailLanguage({}, null, acceptedLanguages(client.languages));
  await temporal.sendAccountMail({ kind: 'passwordReset', recipient, language }, 0);
  return { status: 204 };
}

/** Counts as the log-in does: ten within 15 minutes (spec 3.3). */
async function countMail(key: string, limit: LockOut = LOGIN_LOCK_OUT): Promise<void> {
  const until = await countAttempt(key, limit);
  if (!until) return;
  throw new DomainError('rate_limited', 'Too many mails were requested. Please try again later.', {
    retryAfterSeconds: lockedForSeconds(until, storeNow()),
  });
}

/** PUT /auth/password: ends all sessions of the user (spec 3.9). */
export async function setPassword(
  { body: { token, password }, client }: OpenRequest<Static<typeof passwordInput>>,
  { authority }: Api,
): Promise<HandlerResult> {
  const user = await findLinkedUser(token, authority.jwt);
  const passwordHash = await hashPassword(password, client.address);
  const reach = { organization: user.organization };
  if (!(await updateUser(reach, user._id, { passwordHash }, user))) {
    throw new DomainError('conflict', 'The user was changed at the same time. Please try again.');
  }
  await endFamilies(user._id);
  authority.forget();
  return { status: 200, body: { user: user._id, email: user.email } };
}
