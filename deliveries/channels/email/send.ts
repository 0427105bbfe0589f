import { buffer } from 'node:stream/consumers';
import type { NodemailerError, SendMailOptions } from 'nodemailer';
import { DKIM_KEY } from '../../../application/channels/dkim-key.ts';
import { composeMail, withFooter, withLinks } from '../../../domain/channels/email/compose.ts';
import type { MailContent } from '../../../domain/channels/email/compose.ts';
import { domainOf, formatMailAddress, formatMessageId } from '../../../domain/channels/email/proof.ts';
import { describeFailure, judgeSmtp } from '../../../domain/channels/email/smtp-outcome.ts';
import { MAX_REFERENCES, buildThread } from '../../../domain/channels/email/thread.ts';
import type { Outcome, SendingNote } from '../../../domain/channels/outcome.ts';
import type { RenderedMessage } from '../../../domain/channels/render-text.ts';
import type { AttemptOutcome } from '../../../domain/delivery/delivery.ts';
import { canonicalEmail } from '../../../domain/email.ts';
import { parseFileUrl } from '../../../domain/files/file.ts';
import type { MessageRole } from '../../../domain/messages/message.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { findExchanged } from '../../../store/conversations/receipts.ts';
import { findFile } from '../../../store/files/files.ts';
import type { CompleteFile } from '../../../store/files/files.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import type { ChannelMessage, SendDeps, Sent } from '../contract.ts';
import { openPool, toSmtpFailure } from './transport.ts';

interface Content extends RenderedMessage {
  id: string;
  role?: MessageRole;
  sequence: number;
}

/** From the first byte of the login to the last reply. */
const TIMEOUT_MS = 120_000;
/** Larger files are links: base64 adds a third, and many servers take 20 MB. */
const MAX_ATTACHED_BYTES = 10 * 1024 * 1024;

/** A repetition has the same Message-ID, because SMTP has no idempotency key (spec 15.10). */
export async function sendByEmail(
  deps: SendDeps,
  message: ChannelMessage,
  signal: AbortSignal,
): Promise<Sent> {
  const { service, delivery, recipient, secrets } = message;
  const to = canonicalEmail(recipient.id);
  if (to === undefined)
    return refuse('invalid_address', 'The address of the contact is not an email address.');
  const mail = await buildMail(deps, message, to);
  if (!mail) return refuse('empty', 'The message has nothing that a mail can carry.');
  const { _id: id, params } = service;
  const pool = await openPool(deps.webhooks, {
    ...{ id, params, secret: secrets[0] ?? '' },
    openRefreshToken: () => deps.openSecret('refreshToken'),
  });
  const dkim = await readDkim(deps, params);
  const earlier = delivery.sending;
  const note: SendingNote = { part: 0, externalIds: [], at: storeDate() };
  await deps.noteSending(note);
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    const { response } = await withinTime(signal, (limit) =>
      pool.sendMail({ ...mail, ...dkim, signal: limit }),
    );
    const log = { durationMs: duration(), outcome: 'delivered', response } as const;
    return { outcome: { is: 'sent', externalId: mail.messageId }, log, note: null };
  } catch (error) {
    signal.throwIfAborted();
    return toFailed(error as NodemailerError, { durationMs: duration(), note, earlier });
  }
}

export async function readDkim(
  { openSecret }: Pick<SendDeps, 'openSecret'>,
  { dkimSelector: keySelector, address = '' }: ChannelMessage['service']['params'],
): Promise<Pick<SendMailOptions, 'dkim'>> {
  if (keySelector === undefined) return {};
  const { value: privateKey } = await openSecret(DKIM_KEY);
  return privateKey === undefined ? {} : { dkim: { domainName: domainOf(address), keySelector, privateKey } };
}

function refuse(code: string, reason: string): Sent {
  return { outcome: { is: 'refused', code, reason }, log: { durationMs: 0, outcome: 'refused' } };
}

/** AbortSignal.any would leak (lane.ts). */
async function withinTime<T>(signal: AbortSignal, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, TIMEOUT_MS);
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

interface Attempted {
  durationMs: number;
  note: SendingNote;
  /** The note of an earlier attempt whose outcome is not known. */
  earlier: SendingNote | undefined;
}

function toFailed(error: NodemailerError, { durationMs, note, earlier }: Attempted): Sent {
  const failure = toSmtpFailure(error);
  const judged = judgeSmtp(failure);
  const mayHaveArrived = judged.is === 'uncertain' || earlier?.at !== undefined;
  const outcome: Outcome =
    judged.is === 'retry' && mayHaveArrived ? { is: 'uncertain', reason: judged.reason } : judged;
  const log = {
    durationMs,
    outcome: toLogged(error, failure.isPrivate),
    ...definedFields({ response: error.response, reason: describeFailure(failure) }),
  };
  return { outcome, log, note: mayHaveArrived && judged.is !== 'refused' ? note : null };
}

function toLogged({ code, responseCode }: NodemailerError, isPrivate: true | undefined): AttemptOutcome {
  if (isPrivate) return 'private_address';
  if (responseCode !== undefined) return 'rejected';
  return code === 'ETIMEDOUT' || code === 'EABORT' ? 'timed_out' : 'unreachable';
}

async function buildMail(
  deps: SendDeps,
  { service, envelope }: ChannelMessage,
  to: string,
): Promise<(SendMailOptions & { messageId: string }) | null> {
  const content = envelope.data['message'] as Content;
  const { id: conversation, name: conversationName } = envelope.data['conversation'] as {
    id: string;
    name?: string;
  };
  const composed = composeMail(content);
  const { attached, links } = await splitFiles(deps, composed.files, conversation);
  const body = describeAttached(withLinks(composed, links), attached);
  if (body.text === '' && body.html === '' && attached.length === 0) return null;
  const { _id: id, organization } = service;
  const { title = '', logo } = (await organizationContext(organization)) ?? {};
  const { address = '', fromName = title, signature } = service.params;
  const { text, html } = withFooter(body, { organization: title, logo, signature });
  const before = { service: id, before: content.sequence, limit: MAX_REFERENCES };
  const earlier = await findExchanged(conversation, before);
  const { sign, mailDomain } = deps;
  const domain = domainOf(address);
  const context = {
    ...{ message: content.id, address, root: `<${conversation}@${domain}>` },
    formatId: (name: string) => formatMessageId({ conversation, message: name }, domain, sign),
    ...definedFields({ conversationName, fromName }),
  };
  const { messageId, inReplyTo, references, subject } = buildThread(
    context,
    earlier.map(({ _id, role, meta }) => ({ id: _id, role, meta })),
  );
  return {
    from: fromName === '' ? address : { name: fromName, address },
    ...{ to, subject, messageId, references, text, html },
    ...definedFields({ inReplyTo }),
    ...(mailDomain === undefined
      ? {}
      : { replyTo: formatMailAddress({ kind: 'reply', id: conversation }, { domain: mailDomain, sign }) }),
    date: envelope.timestamp,
    // Other robots do not reply to it (RFC 3834).
    headers:
      content.role === 'bot' ? { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' } : {},
    attachments: await Promise.all(attached.map((file) => readAttachment(deps, file))),
  };
}

/** Spam filters refuse mails without a text. */
function describeAttached(
  { text, html }: Pick<MailContent, 'text' | 'html'>,
  attached: readonly CompleteFile[],
): Pick<MailContent, 'text' | 'html'> {
  if (text !== '' || html !== '') return { text, html };
  return withLinks(
    { text, html },
    attached.map(({ name }) => name),
  );
}

async function splitFiles(
  { publicUrl }: Pick<SendDeps, 'publicUrl'>,
  urls: readonly string[],
  conversation: string,
): Promise<{ attached: CompleteFile[]; links: string[] }> {
  const attached: CompleteFile[] = [];
  const links: string[] = [];
  let left = MAX_ATTACHED_BYTES;
  for (const url of urls) {
    const key = parseFileUrl(url, publicUrl);
    const file = key === undefined ? null : await findFile(key);
    if (file?.conversation === conversation && file.bytes <= left) {
      left -= file.bytes;
      attached.push(file);
    } else links.push(file?.conversation === conversation ? `${file.name}: ${url}` : url);
  }
  return { attached, links };
}

async function readAttachment(
  { files }: Pick<SendDeps, 'files'>,
  { _id: id, place, name, type, bytes }: CompleteFile,
) {
  const content =
    bytes === 0
      ? Buffer.alloc(0)
      : await buffer(await files.read({ id, place }, { first: 0, last: bytes - 1 }));
  return { filename: name, contentType: type, content };
}
