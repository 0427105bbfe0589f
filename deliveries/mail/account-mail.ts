import type { NodemailerError, SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { Jwt } from '../../application/auth/jwt.ts';
import { isOfFirstStart, issuePasswordLink } from '../../application/auth/password-link.ts';
import { unsealSecret } from '../../application/channels/secrets.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import {
  LINK_LIFETIMES,
  chooseMailLanguage,
  composeAccountMail,
  toPlainTitle,
} from '../../domain/account-mail.ts';
import type { AccountMailKind, AccountMailResult } from '../../domain/account-mail.ts';
import { describeFailure, judgeSmtp } from '../../domain/channels/email/smtp-outcome.ts';
import type { SmtpFailure } from '../../domain/channels/email/smtp-outcome.ts';
import type { LanguageTag } from '../../domain/languages.ts';
import { isReservedEmail } from '../../domain/scope.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findActiveMailService } from '../../store/delivery/channels.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import type { ProviderClient } from '../channels/contract.ts';
import { readDkim } from '../channels/email/send.ts';
import { openOperatorPool, openPool, toSmtpFailure } from '../channels/email/transport.ts';
import type { OperatorServer } from '../channels/email/transport.ts';
import { openSecret } from '../channels/open-secret.ts';

export interface AccountMailDeps {
  log: Pick<Logger, 'info' | 'warn'>;
  jwt: Jwt;
  publicUrl: string;
  ownMail: { server: OperatorServer; from: string } | undefined;
  webhooks: ProviderClient;
  secrets: Encryption;
  slugs: Pick<Encryption, 'decrypt'>;
}

interface Sender {
  pool: Awaited<ReturnType<typeof openPool>>;
  address: string;
  name?: string | undefined;
  dkim?: SendMailOptions['dkim'];
}

/** A failure that may pass. The message has no address and no token. */
class PassingMailError extends Error {}

/**
 * Sends a mail with a link for setting a password (spec 3.10). Each attempt has another token.
 * Rejects if the mail may be sent later.
 */
export async function sendAccountMail(
  deps: AccountMailDeps,
  { kind, recipient, language = 'en' }: { kind: AccountMailKind; recipient: string; language?: LanguageTag },
): Promise<AccountMailResult> {
  const user = await findRecipient(deps, kind, recipient);
  const sender = user && (await findSender(deps, kind, user));
  if (!sender) return { status: 'skipped' };
  const { email } = user;
  const organization = await findOrganization(user, user.organization);
  const title = organization?.displayName ?? organization?.name ?? '';
  const { url } = await issuePasswordLink(user, LINK_LIFETIMES[kind], deps);
  const name = sender.name ?? toPlainTitle(title);
  try {
    await sender.pool.sendMail({
      from: name === '' ? sender.address : { name, address: sender.address },
      to: email,
      ...composeAccountMail({
        kind,
        language: chooseMailLanguage(user, organization, [language]),
        organization: title,
        email,
        url,
      }),
      // Robots do not reply to it (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(sender.dkim ? { dkim: sender.dkim } : {}),
    });
  } catch (error) {
    return judge(deps, toSmtpFailure(error as NodemailerError), { kind, user });
  }
  deps.log.info({ kind, user: user._id }, 'account mail sent');
  return { status: 'sent' };
}

async function findRecipient(
  { slugs }: Pick<AccountMailDeps, 'slugs'>,
  kind: AccountMailKind,
  recipient: string,
): Promise<UserDocument | null> {
  if (kind === 'invitation') return findAccount({ _id: recipient });
  const user = await findAccount({ email: slugs.decrypt(recipient) ?? '' });
  return user && takesReset(user) && !(await isOfFirstStart(user)) ? user : null;
}

function takesReset({ role, email }: UserDocument): boolean {
  return (role === 'agent' || role === 'admin') && !isReservedEmail(email);
}

/**
 * Returns the mail server of the operator, else, for an invitation, the channel of the
 * organization. Admins can read what their channel sends, so it sends no link that they could not
 * have created.
 */
async function findSender(
  { ownMail, webhooks, secrets }: Pick<AccountMailDeps, 'ownMail' | 'webhooks' | 'secrets'>,
  kind: AccountMailKind,
  { organization, role, passwordHash }: UserDocument,
): Promise<Sender | null> {
  if (ownMail) return { pool: await openOperatorPool(ownMail.server), address: ownMail.from };
  const isForAdmins = kind === 'invitation' && (role !== 'admin' || passwordHash === undefined);
  const service = isForAdmins ? await findActiveMailService(organization) : null;
  const secret = service && unsealSecret(service, service.secrets?.[0] ?? '', secrets.decrypt);
  if (!service || secret === null || secret === undefined) return null;
  const { _id: id, params } = service;
  const open = (name: string) => openSecret(secrets, service, name);
  return {
    pool: await openPool(webhooks, { id, params, secret, openRefreshToken: () => open('refreshToken') }),
    address: params.address ?? '',
    name: params.fromName,
    ...(await readDkim({ openSecret: open }, params)),
  };
}

function judge(
  { log }: Pick<AccountMailDeps, 'log'>,
  failure: SmtpFailure,
  { kind, user }: { kind: AccountMailKind; user: UserDocument },
): AccountMailResult {
  const outcome = judgeSmtp(failure);
  const isOver = outcome.is === 'refused' || outcome.is === 'broken';
  const facts = { kind, user: user._id, outcome: outcome.is };
  log.warn({ ...facts, reason: describeFailure(failure).replaceAll(user.email, '…') }, 'account mail failed');
  // The mail server of the operator is not the tenant's business, its reply to the address is.
  const isOfAddress = failure.step === 'recipient' || failure.step === 'content';
  const reason = describeFailure(isOfAddress ? failure : { ...failure, text: '' });
  if (!isOver) throw new PassingMailError(reason);
  return { status: 'failed', reason };
}
