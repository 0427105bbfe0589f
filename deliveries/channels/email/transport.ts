import type {
  NodemailerError,
  SMTPPoolOptions,
  SMTPPoolSentMessageInfo,
  SMTPTransportOptions,
  Transporter,
} from 'nodemailer';
import { parseSmtpUrl } from '../../../domain/channels/email/account.ts';
import type { MailServer } from '../../../domain/channels/email/account.ts';
import type { SmtpFailure } from '../../../domain/channels/email/smtp-outcome.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { lruMap } from '../../../platform/concurrency/lru-map.ts';
import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import type { WebhookClient } from '../../http/client.ts';
import { PrivateAddressError } from '../../http/connector.ts';
import { describeError } from '../../http/exchange.ts';
import { TokenError, findAccessToken } from './access-token.ts';
import type { MailAccount } from './access-token.ts';

type Sockets = Pick<WebhookClient, 'openSocket' | 'requestProvider'>;

/** A silent server must not hold up the conversation. */
const SILENCE_MS = 30_000;
const VERIFY_MS = 10_000;
const IDLE_MS = 30_000;
const CONNECTIONS = 3;
const MAX_POOLS = 200;

const SILENCE = { connectionTimeout: SILENCE_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS };
/** Attachments are buffers. Nothing is read from disk or from addresses. */
const NO_READING = { disableFileAccess: true, disableUrlAccess: true };

/** An error before the mail was begun. */
class ConnectError extends Error {
  readonly isPrivate: boolean;

  constructor(cause: unknown) {
    const isPrivate = cause instanceof PrivateAddressError;
    super(isPrivate ? cause.message : describeError(cause));
    this.isPrivate = isPrivate;
  }
}

/** `isFresh`: no access token of an earlier login. */
function toOptions(sockets: Sockets, account: MailAccount, { isFresh = false } = {}): SMTPTransportOptions {
  const { params, secret } = account;
  const server = parseSmtpUrl(params.url ?? '');
  if (!server) throw new Error('The channel has no SMTP server.');
  const { host, port, isSecure, isLocal } = server;
  return {
    ...{ host, port, secure: isSecure },
    // The password is never sent in the clear to another machine.
    requireTLS: !isLocal,
    forceAuth: !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    auth:
      params.clientId === undefined
        ? { user: params.username, pass: secret }
        : {
            type: 'OAuth2',
            user: params.username,
            // `mustRenew`: the server refused the token.
            provisionCallback: (_user, mustRenew, done) => {
              findAccessToken(sockets, account, { isFresh: isFresh || mustRenew }).then(
                (token) => done(null, token),
                (error: unknown) => done(error as Error),
              );
            },
          },
    ...SILENCE,
    ...NO_READING,
    getSocket(_, done) {
      sockets.openSocket({ host, port }).then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(new ConnectError(error)),
      );
    },
  };
}

/** Logs in. Returns why that failed, or null. */
export async function verifyLogin(sockets: Sockets, account: MailAccount): Promise<SmtpFailure | null> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(toOptions(sockets, account, { isFresh: true }));
  const late = { step: 'connection', text: `No complete reply within ${VERIFY_MS / 1_000} s.` } as const;
  try {
    return await withTimeout(
      transport.verify().then(() => null),
      VERIFY_MS,
      () => late,
    );
  } catch (error) {
    return toSmtpFailure(error as NodemailerError);
  } finally {
    transport.close();
  }
}

interface Pool {
  key: string;
  transport: Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;
}

const pools = lruMap<string, Pool>(MAX_POOLS);

/** Returns the connections of a channel. */
export function openPool(sockets: Sockets, account: MailAccount): Promise<Pool['transport']> {
  const { id, params, secret } = account;
  const { url, username, tokenUrl, clientId, scope } = params;
  const key = JSON.stringify([url, username, tokenUrl, clientId, scope, secret]);
  return keepPool(id, key, () => toOptions(sockets, account));
}

/** The server of the operator, which may have a private address. */
export interface OperatorServer extends MailServer {
  login?: { user: string; pass: string };
}

/** Returns the connections to the mail server of the operator (spec 3.10). */
export function openOperatorPool(server: OperatorServer): Promise<Pool['transport']> {
  const { host, port, isSecure, isLocal, login } = server;
  const isProtected = login !== undefined && !isLocal;
  return keepPool('operator', JSON.stringify(server), () => ({
    ...{ host, port, secure: isSecure, ...SILENCE, ...NO_READING },
    requireTLS: isProtected,
    // A relay without a login often has a self-signed certificate.
    tls: { rejectUnauthorized: isProtected },
    ...definedFields({ auth: login }),
  }));
}

/** Connections with earlier credentials close when idle. */
async function keepPool(
  id: string,
  key: string,
  buildOptions: () => SMTPTransportOptions,
): Promise<Pool['transport']> {
  // Most deployments send no mail.
  const { createTransport } = await import('nodemailer');
  const known = pools.get(id);
  if (known?.key === key) return known.transport;
  known?.transport.close();
  const transport = createTransport({
    ...buildOptions(),
    pool: true,
    maxConnections: CONNECTIONS,
    // The caller repeats.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
  });
  pools.set(id, { key, transport });
  return transport;
}

const STEPS: Readonly<Record<string, SmtpFailure['step']>> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'content',
};

/** Returns what judges a failure, without the password. */
export function toSmtpFailure(error: NodemailerError): SmtpFailure & { isPrivate?: true } {
  const { code, command = '', responseCode, response, message } = error;
  if (error instanceof ConnectError) {
    return { step: 'connection', text: message, ...(error.isPrivate ? { isPrivate: true as const } : {}) };
  }
  if (error instanceof TokenError) return { step: error.isRefused ? 'token' : 'connection', text: message };
  const step = toStep(error);
  const isCut =
    responseCode === undefined &&
    (code === 'ECONNECTION' || code === 'ESOCKET' || code === 'EABORT' || isSilence(error));
  const text = response ?? (command === 'CONN' && code !== undefined ? `${code}: ${message}` : message);
  return { step, text, replyCode: responseCode, isUncertain: isCut };
}

function toStep({ code, command = '' }: NodemailerError): SmtpFailure['step'] {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'auth';
  // The server has announced its limit, and was not sent the mail.
  if (code === 'EMESSAGE') return 'content';
  return STEPS[command] ?? 'connection';
}

/** Other timeouts are before the login. */
function isSilence({ code, timeoutType = 'SOCKET_TIMEOUT' }: NodemailerError): boolean {
  return code === 'ETIMEDOUT' && timeoutType === 'SOCKET_TIMEOUT';
}
