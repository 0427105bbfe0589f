import { parseSmtpUrl } from '../../../domain/channels/email/account.ts';
import { findWrongImapParam } from '../../../domain/channels/email/imap-outcome.ts';
import { describeFailure, judgeSmtp } from '../../../domain/channels/email/smtp-outcome.ts';
import type { SmtpFailure } from '../../../domain/channels/email/smtp-outcome.ts';
import type { ChannelAccount, ConnectDeps, Connected } from '../contract.ts';
import type { MailAccount } from './access-token.ts';
import { ImapError, connectMailbox } from './imap.ts';
import type { ImapSockets } from './imap.ts';
import { verifyLogin } from './transport.ts';

/**
 * Logs in at the SMTP server (spec 15.10), and at the IMAP server if `isDry` (spec 15.13). Later
 * failures of the mailbox do not stop the channel from sending.
 */
export async function connectEmail(
  { webhooks }: ConnectDeps,
  account: ChannelAccount,
  { isDry }: { isDry: boolean },
): Promise<Connected> {
  const { address = '', url = '' } = account.params;
  let refreshToken: string | undefined;
  const stored = {
    value: account.refreshToken,
    replace: (next: string) => Promise.resolve(void (refreshToken = next)),
  };
  const login = { ...account, openRefreshToken: () => Promise.resolve(stored) };
  const failure = await verifyLogin(webhooks, login);
  if (!failure) {
    const refused = isDry ? await findMailboxProblem(webhooks, login) : undefined;
    if (refused) return refused;
    return { name: `${address} by ${parseSmtpUrl(url)?.host ?? url}`, takesMedia: true, refreshToken };
  }
  const problem = describeFailure(failure).replace(/\.$/, '');
  const path = findWrongParam(failure, account);
  return path === undefined ? { problem } : { path, problem };
}

/** Returns undefined if the mailbox can be opened, and for a failure that may pass. */
async function findMailboxProblem(
  sockets: ImapSockets,
  account: MailAccount,
): Promise<Connected | undefined> {
  const { imapUrl, clientId } = account.params;
  if (imapUrl === undefined) return undefined;
  try {
    const connection = await connectMailbox(sockets, account);
    await connection.examine().finally(() => connection.close());
    return undefined;
  } catch (error) {
    if (!(error instanceof ImapError)) throw error;
    const path = findWrongImapParam(error.failure, { isOAuth: clientId !== undefined });
    return path === undefined ? undefined : { path, problem: error.message.replace(/\.$/, '') };
  }
}

/** Returns undefined if the credentials were not checked. */
function findWrongParam(failure: SmtpFailure, { params, refreshToken }: ChannelAccount): string | undefined {
  if (failure.step === 'token')
    return refreshToken === undefined || failure.text.startsWith('invalid_client')
      ? 'params.clientSecret'
      : 'params.refreshToken';
  if (failure.step !== 'auth' || judgeSmtp(failure).is !== 'broken') return undefined;
  return params.clientId === undefined ? 'params.password' : 'params.username';
}
