import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { FetchMessageObject, FetchQueryObject, ImapFlow, ImapFlowOptions } from 'imapflow';
import { parseImapUrl } from '../../../domain/channels/email/account.ts';
import type { ImapFailure } from '../../../domain/channels/email/imap-outcome.ts';
import { describeImapFailure } from '../../../domain/channels/email/imap-outcome.ts';
import { readReturnPath } from '../../../domain/channels/email/mailbox.ts';
import type { DatedMail, MailboxState } from '../../../domain/channels/email/mailbox.ts';
import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import type { WebhookClient } from '../../http/client.ts';
import { PrivateAddressError } from '../../http/connector.ts';
import { describeError } from '../../http/exchange.ts';
import { TokenError, findAccessToken } from './access-token.ts';
import type { MailAccount } from './access-token.ts';

export type ImapSockets = Pick<WebhookClient, 'findAddresses' | 'requestProvider'>;

const LOGIN_MS = 20_000;
/** A connection may die unseen: a command without an end in this time closes the connection. */
const COMMAND_MS = 30_000;
/** Longer than the interval of commands, which notice a dead connection. */
const SILENCE_MS = 10 * 60_000;
/** Bounds the memory of a connection. */
const CHUNK_BYTES = 512 * 1024;
/** Bounds a reply in one line, such as the UIDs of a whole mailbox. */
const LINE_BYTES = 8 * 1024 * 1024;
/** Bounds a command in one line. */
const MAILS_AT_ONCE = 500;
const PROBED_MAILS = 3;
const DAY_MS = 24 * 3_600_000;

export class ImapError extends Error {
  readonly failure: ImapFailure;

  constructor(failure: ImapFailure) {
    super(describeImapFailure(failure));
    this.failure = failure;
  }
}

export interface MailHead {
  bytes: number;
  /** Empty: a bounce. */
  sender: string;
  /** Sender and subject, for people. */
  title: string;
}

/** Logs in. Rejects with ImapError. `isFresh`: requests a new access token first. */
export async function connectMailbox(
  sockets: ImapSockets,
  account: MailAccount,
  { isFresh = false } = {},
): Promise<MailboxConnection> {
  try {
    return new MailboxConnection(await logIn(sockets, account, isFresh));
  } catch (error) {
    const failed = toImapError(error, 'connection');
    // The server may refuse a token before it expires.
    const mayRenew = failed.failure.step === 'auth' && account.params.clientId !== undefined && !isFresh;
    if (mayRenew) return connectMailbox(sockets, account, { isFresh: true });
    throw failed;
  }
}

async function logIn(sockets: ImapSockets, account: MailAccount, isFresh: boolean): Promise<ImapFlow> {
  // Most deployments read no mailbox.
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow(await buildOptions(sockets, account, isFresh));
  // An error closes the connection, and the next command reports it.
  client.on('error', () => undefined);
  try {
    await within(client, client.connect(), LOGIN_MS);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

async function buildOptions(
  sockets: ImapSockets,
  account: MailAccount,
  isFresh: boolean,
): Promise<ImapFlowOptions> {
  const { params, secret } = account;
  const { username: user = '', imapUrl = '' } = params;
  const server = parseImapUrl(imapUrl);
  if (!server) throw new ImapError({ step: 'server', text: 'The channel has no IMAP server' });
  const { host, port, isSecure, isLocal } = server;
  const lookup = createLookup(await sockets.findAddresses(host));
  return {
    ...{ host, port, secure: isSecure },
    // The password is never sent in the clear to another machine.
    ...(isSecure || isLocal ? {} : { doSTARTTLS: true }),
    tls: { rejectUnauthorized: !isLocal, lookup },
    auth:
      params.clientId === undefined
        ? { user, pass: secret }
        : { user, accessToken: await findAccessToken(sockets, account, { isFresh }) },
    clientInfo: { name: 'Parlance' },
    logger: false,
    disableAutoIdle: true,
    ...{ connectionTimeout: LOGIN_MS, greetingTimeout: LOGIN_MS, socketTimeout: SILENCE_MS },
    // A server cannot fill the memory.
    ...{ maxLineLength: LINE_BYTES, maxLiteralSize: 2 * CHUNK_BYTES },
  };
}

/** Returns the checked addresses: a second lookup could return others. */
function createLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** A connection with INBOX, in which it never changes anything. */
export class MailboxConnection {
  readonly #client: ImapFlow;
  /** Whether the server has reported a change since INBOX was opened. */
  #isChanged = false;

  constructor(client: ImapFlow) {
    this.#client = client;
    client.on('exists', () => (this.#isChanged = true));
  }

  close(): void {
    this.#client.close();
  }

  /** Opens INBOX read-only, or looks again whether it has new mails. */
  async examine(): Promise<MailboxState> {
    this.#isChanged = false;
    const { uidValidity, uidNext } = await this.#run(async (client) => {
      const { uidValidity, uidNext } = await client.mailboxOpen('INBOX', { readOnly: true });
      return { uidValidity, uidNext };
    }, 'inbox');
    // Servers of IMAP4rev1 may leave it out.
    const newestUid = uidNext > 0 ? uidNext - 1 : Math.max(0, ...(await this.#search({ all: true })));
    return { uidValidity: String(uidValidity), newestUid };
  }

  findUidsAfter(uid: number): Promise<number[]> {
    return this.#search({ uid: `${uid + 1}:*` });
  }

  /** The search of IMAP is by day, in the time zone of the server. */
  async findArrivedSince(since: Date): Promise<DatedMail[]> {
    const uids = await this.#search({ since: new Date(since.getTime() - DAY_MS) });
    const dated: DatedMail[] = [];
    for (let at = 0; at < uids.length; at += MAILS_AT_ONCE) {
      const some = uids.slice(at, at + MAILS_AT_ONCE);
      const query = { uid: true, internalDate: true };
      const mails = await this.#run((client) => client.fetchAll(some, query, { uid: true }));
      dated.push(...mails.map(({ uid, internalDate }) => ({ uid, receivedAt: toDate(internalDate) })));
    }
    return dated;
  }

  async findMail(uid: number): Promise<MailHead | null> {
    const query = { uid: true, size: true, envelope: true, headers: ['return-path'] };
    const mail = (await this.#fetch(uid, query)).find(({ size }) => size !== undefined);
    if (!mail) return null;
    const { size: bytes = 0, envelope: { sender, from, subject = '' } = {}, headers } = mail;
    const author = from?.[0]?.address ?? '';
    const returnPath = headers && readReturnPath(headers.toString('latin1'));
    return {
      bytes,
      sender: returnPath ?? sender?.[0]?.address ?? author,
      title: [author, subject].filter((part) => part !== '').join(': '),
    };
  }

  /** Reads the whole mail, and does not mark it as seen. */
  async *read(uid: number): AsyncGenerator<Buffer> {
    for (let start = 0; ; start += CHUNK_BYTES) {
      const chunk = await this.#fetchPart(uid, { start, maxLength: CHUNK_BYTES });
      if (chunk.length > 0) yield chunk;
      if (chunk.length < CHUNK_BYTES) return;
    }
  }

  /** Rejects if the server sends none of the newest mails besides this mail. */
  async assertSendsOthers(than: number): Promise<void> {
    const others = (await this.#search({ all: true })).filter((uid) => uid !== than).slice(-PROBED_MAILS);
    let problem: ImapError | undefined;
    for (const uid of others) {
      try {
        await this.#fetchPart(uid, { start: 0, maxLength: 1 });
        return;
      } catch (error) {
        problem = toImapError(error, 'connection');
      }
    }
    if (problem) throw problem;
  }

  async #fetchPart(uid: number, source: { start: number; maxLength: number }): Promise<Buffer> {
    const found = await this.#fetch(uid, { uid: true, source });
    const part = found.find((mail) => mail.source)?.source;
    if (!part) throw new ImapError({ step: 'connection', text: 'The server did not send the mail' });
    return part;
  }

  /** The server may add other facts of the mail, such as changed flags. */
  async #fetch(uid: number, query: FetchQueryObject): Promise<FetchMessageObject[]> {
    const found = await this.#run((client) => client.fetchAll(String(uid), query, { uid: true }));
    if (found.length === 0 && !this.#client.mailbox) {
      throw new ImapError({ step: 'connection', text: 'INBOX is not open any more' });
    }
    return found.filter((mail) => mail.uid === uid);
  }

  /** Resolves at the next change of INBOX, when the connection ends, and when `signal` aborts. */
  async waitForChange(signal: AbortSignal): Promise<void> {
    const client = this.#client;
    if (signal.aborted || this.#isChanged || !client.usable) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        client.off('exists', end);
        client.off('close', end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      client.on('exists', end);
      client.on('close', end);
      signal.addEventListener('abort', end);
      // The next command ends it.
      client.idle().catch(() => undefined);
    });
  }

  /** imapflow returns false if a search fails. */
  async #search(query: Parameters<ImapFlow['search']>[0]): Promise<number[]> {
    const found = await this.#run((client) => client.search(query, { uid: true }));
    if (!found) throw new ImapError({ step: 'connection', text: 'The search failed' });
    return found;
  }

  async #run<T>(
    work: (client: ImapFlow) => Promise<T>,
    step: ImapFailure['step'] = 'connection',
  ): Promise<T> {
    try {
      return await within(this.#client, work(this.#client), COMMAND_MS);
    } catch (error) {
      throw toImapError(error, step);
    }
  }
}

function within<T>(client: ImapFlow, work: Promise<T>, timeoutMs: number): Promise<T> {
  return withTimeout(work, timeoutMs, () => {
    client.close();
    throw new Error(`No complete reply within ${timeoutMs / 1_000} s`);
  });
}

function toDate(given: Date | string | undefined): Date | undefined {
  const date = given === undefined ? undefined : new Date(given);
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** Properties of the errors of imapflow and of Node's sockets. */
interface ErrorFields {
  code?: string;
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  responseText?: string;
  response?: unknown;
  responseStatus?: string;
  tlsFailed?: boolean;
}

const CUT = ['NoConnection', 'EConnectionClosed', 'ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'UPGRADE_TIMEOUT'];
/** Codes of a certificate that is not valid for the host. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/;

function toImapError(error: unknown, step: ImapFailure['step']): ImapError {
  if (error instanceof ImapError) return error;
  if (error instanceof PrivateAddressError) return new ImapError({ step: 'server', text: error.message });
  if (error instanceof TokenError) {
    return new ImapError({ step: error.isRefused ? 'token' : 'connection', text: error.message });
  }
  const { message } = error as Error;
  const fields = error as ErrorFields;
  const { code = '', serverResponseCode, responseText, response } = fields;
  const reply = responseText ?? (typeof response === 'string' ? response : undefined);
  const text = reply ?? (/^E[A-Z]+$/.test(code) ? describeError(error) : message);
  return new ImapError({ step: chooseStep(fields, step), text, code: serverResponseCode });
}

function chooseStep(
  { code = '', authenticationFailed, tlsFailed, responseStatus }: ErrorFields,
  step: ImapFailure['step'],
): ImapFailure['step'] {
  if (CUT.includes(code)) return 'connection';
  if (authenticationFailed) return 'auth';
  if (tlsFailed || CERTIFICATE.test(code) || code === 'ENOTFOUND') return 'server';
  return responseStatus === undefined ? 'connection' : step;
}
