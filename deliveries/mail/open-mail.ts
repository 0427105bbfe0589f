import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { InboundEntry, MailRow } from '../../application/channels/inbound.ts';
import { markAddress } from '../../application/channels/mark-identity.ts';
import { reportReceipt } from '../../application/channels/report-receipt.ts';
import type { ReceiptDeps } from '../../application/channels/report-receipt.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import { isAutomatic } from '../../domain/channels/email/automatic.ts';
import { readBounce } from '../../domain/channels/email/bounce.ts';
import {
  MAX_MAILS_AN_HOUR,
  findLastReply,
  isRepeated,
  isRobotLoop,
  placeMail,
} from '../../domain/channels/email/placement.ts';
import type { MailPlacement } from '../../domain/channels/email/placement.ts';
import { domainOf, parseMailAddress, readMessageId } from '../../domain/channels/email/proof.ts';
import { cutQuote } from '../../domain/channels/email/quoted.ts';
import { isDeadAddress } from '../../domain/channels/email/smtp-outcome.ts';
import { parseMessageId } from '../../domain/channels/email/thread.ts';
import { isBlank, replaceHalves, toOneLine } from '../../domain/characters.ts';
import { boundedError } from '../../domain/channels/receipt.ts';
import { isSendable } from '../../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import { canonicalEmail } from '../../domain/email.ts';
import { MAX_TEXT } from '../../domain/messages/message.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { storeDate, storeNow } from '../../store/cluster/clock.ts';
import { findContactBy, findContactById } from '../../store/conversations/contacts.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import { findMessages } from '../../store/conversations/find-messages.ts';
import { countReceived, findCarried, findExchanged } from '../../store/conversations/receipts.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import type { FileContents } from '../../store/files/contents.ts';
import type { MailAttachment, ReadMail } from './parse-mail.ts';
import { UnreadableMailError, readMail } from './parser.ts';

export interface MailDeps extends ReceiptDeps {
  files: FileContents;
  secrets: Pick<Encryption, 'sign'>;
  mailDomain: string | undefined;
  notifyDeliveries: (rows: readonly DeliveryRow[]) => void;
}

export interface OpenedMail {
  entry: InboundEntry;
  placement: MailPlacement;
  attachments: MailAttachment[];
  /** Name of the conversation, if the sender is a new contact. */
  name?: string | undefined;
}

/** `isFinal`: the reason why it is not posted. `reported`: it was the report about a message. */
type Opened = OpenedMail | { isFinal: true; reason: string } | { reported: string; conversation: string };

const MAX_ATTACHMENTS = 20;
const MAX_LINE = 200;
const HOUR_MS = 3_600_000;

/** Reads a stored mail, and decides where it is posted (spec 15.11). */
export async function openMail(deps: MailDeps, row: MailRow, service: ServiceDocument): Promise<Opened> {
  const { file, bytes, digest } = row.mail;
  if (bytes === 0) return { isFinal: true, reason: 'The mail is empty.' };
  const load = async () => buffer(await deps.files.read(file, { first: 0, last: bytes - 1 }));
  const mail = await readMail(load, service.organization).catch((error: unknown) => {
    if (error instanceof UnreadableMailError) return error;
    throw error;
  });
  if (mail instanceof UnreadableMailError) return { isFinal: true, reason: mail.message };
  if (mail.report !== undefined) return takeReport(deps, mail.report, service);
  const from = canonicalEmail(mail.from?.address ?? row.mail.sender);
  if (from === undefined) return { isFinal: true, reason: 'The mail has no sender.' };
  const content = readContent(mail);
  const { placement, isNew } = await findPlacement(deps, { mail, content, from, row, service });
  const id = createHash('sha256')
    .update(mail.messageId === '' ? digest : `${from} ${mail.messageId}`)
    .digest('hex');
  const { subject } = content;
  const opened = toEntry(mail, { content, id, from, row, isNote: placement.as === 'note' });
  return { ...opened, placement, ...(isNew && subject !== '' ? { name: subject } : {}) };
}

interface MailContent {
  text: string;
  subject: string;
  isCut: boolean;
  attachments: MailAttachment[];
}

function readContent(mail: ReadMail): MailContent {
  const subject = toLine(mail.subject);
  const { text, isCut } = cutQuote(storable(mail.text), subject);
  const attachments = mail.attachments.slice(0, MAX_ATTACHMENTS);
  const left = mail.attachments.length - attachments.length;
  const notes = left > 0 ? [`[${left} more files are in the original mail.]`] : [];
  const words = [isBlank(text) ? subject || '[The mail has no text.]' : text, ...notes].join('\n\n');
  return {
    text: storable(words.slice(0, MAX_TEXT)),
    isCut: isCut || words.length > MAX_TEXT,
    ...{ subject, attachments },
  };
}

interface Facts {
  mail: ReadMail;
  content: MailContent;
  from: string;
  row: MailRow;
  service: ServiceDocument;
}

async function findPlacement(
  { secrets: { sign }, mailDomain = '' }: MailDeps,
  { mail, content, from, row, service }: Facts,
): Promise<{ placement: MailPlacement; isNew: boolean }> {
  const { organization, params } = service;
  const own = params.address ?? '';
  const target = parseMailAddress(row.mail.to, { domain: mailDomain, sign });
  const names = mail.references.map((id) => readMessageId(id, domainOf(own), sign));
  const genuine = names.find((name) => name !== null && name !== 'forged');
  const named = target?.kind === 'reply' ? target.id : genuine?.conversation;
  const place = named === undefined ? null : await findConversationRef({ organization }, named);
  const contact = place?.contact === undefined ? null : await findContactById(place.contact);
  const known = await findContactBy(organization, { 'profile.email': from });
  const addresses = [contact?.profile.email, ...(contact?.identities ?? []).map(({ id }) => id)];
  const since = new Date(storeNow() - HOUR_MS);
  const recent =
    known?.conversation === undefined
      ? 0
      : await countReceived(known.conversation, { service: service._id, since, limit: MAX_MAILS_AN_HOUR });
  const placement = placeMail({
    recent,
    isLoop: await isInLoop(place?.id ?? known?.conversation, { service: service._id, text: content.text }),
    named: place?.id,
    isContact: addresses.includes(from),
    known: known?.conversation,
    isAutomatic: isAutomatic(mail.headers, { from, sender: row.mail.sender, own }),
    isForged: names.includes('forged'),
  });
  return { placement, isNew: known === null };
}

/** Enough for the replies of an hour to a bot. */
const LAST = { before: Number.MAX_SAFE_INTEGER, limit: 64 };

async function isInLoop(
  conversation: string | undefined,
  { service, text }: { service: string; text: string },
): Promise<boolean> {
  if (conversation === undefined) return false;
  const found = await findExchanged(conversation, { service, ...LAST });
  const exchanged = found.map(({ _id: id, role, createdAt }) => ({ id, role, at: createdAt.getTime() }));
  const now = storeNow();
  if (isRobotLoop(exchanged, now)) return true;
  const earlier = await findMessages(findLastReply(exchanged, now));
  return isRepeated(
    text,
    earlier.map((message) => message.text),
  );
}

interface EntryFacts {
  content: MailContent;
  id: string;
  from: string;
  row: MailRow;
  isNote: boolean;
}

function toEntry(
  mail: ReadMail,
  { content: { text, subject, isCut, attachments }, id, from, row, isNote }: EntryFacts,
): Pick<OpenedMail, 'entry' | 'attachments'> {
  const email = {
    ...definedFields({ messageId: parseMessageId(mail.messageId), subject: subject || undefined }),
    // The contact of the message is not its sender.
    ...(isNote ? { from } : {}),
    ...(isCut ? { isCut } : {}),
    original: row.mail.url,
  };
  return {
    entry: {
      id,
      from: { id: from, email: from, ...definedFields({ name: toLine(mail.from?.name ?? '') || undefined }) },
      messages: [{ text, meta: { email } }],
    },
    attachments,
  };
}

/** Returns a text in one line, empty if nothing of it is visible. */
function toLine(text: string): string {
  const line = storable(toOneLine(text).slice(0, MAX_LINE));
  return isBlank(line) ? '' : line;
}

function storable(text: string): string {
  return replaceHalves(text.replaceAll('\0', ''));
}

async function takeReport(deps: MailDeps, report: string, service: ServiceDocument): Promise<Opened> {
  const bounce = readBounce(report, domainOf(service.params.address ?? ''), deps.secrets.sign);
  const carried = bounce && (await findCarried(bounce.message, service._id));
  if (!bounce || !carried) {
    return {
      isFinal: true,
      reason: 'A report of a mail server about a mail that this channel did not send.',
    };
  }
  const { action, code, reason, message, conversation } = bounce;
  const status = action === 'failed' ? 'failed' : action === 'delivered' ? 'delivered' : null;
  if (status) {
    const at = carried.delivery.status === status ? carried.delivery.at : storeDate().toISOString();
    const error = status === 'failed' ? boundedError({ code, message: reason }) : undefined;
    const receipt = { status, at, ...definedFields({ error }) } as const;
    const { rows } = await reportReceipt(deps, { message, service: service._id, receipt });
    deps.notifyDeliveries(rows.filter(isSendable));
    if (error && carried.contact !== undefined && isDeadAddress(reason, code)) {
      await markAddress(service, carried.contact, 'unreachable');
    }
  }
  return { reported: `A mail server reports on message ${message}: ${action} (${code}).`, conversation };
}
