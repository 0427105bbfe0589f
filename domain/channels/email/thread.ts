import { toOneLine } from '../../characters.ts';
import { toFields } from '../../json.ts';
import type { MessageRole, Meta } from '../../messages/message.ts';

/** A mail of the conversation that came before, of either direction. */
export interface EarlierMail {
  id: string;
  role?: MessageRole | undefined;
  meta?: Meta | undefined;
}

/** Headers by which mail programs show a conversation as one thread. */
export interface MailThread {
  messageId: string;
  inReplyTo?: string | undefined;
  references: string[];
  subject: string;
}

interface ThreadContext {
  message: string;
  /** An id that all mails of the conversation name, so that mail programs join them. */
  root: string;
  /** The address of the channel. */
  address: string;
  /** Returns the Message-ID of a mail of ours. */
  formatId: (message: string) => string;
  conversationName?: string | undefined;
  fromName?: string | undefined;
}

export const MAX_REFERENCES = 20;
const MAX_SUBJECT = 200;
const MAX_MESSAGE_ID = 250;
/** `Re:` in the languages of common mail programs. */
const REPLY = /^\s*(?:re|aw|antw|sv|vs|odp|ref|réf|rif|res|ynt)(?:\[\d+\])?\s?:/i;
const MESSAGE_ID = /^<?([!-;=?A-~]+@[!-;=?A-~]+)>?$/;

/** Returns the headers of a mail. `earlier`: oldest first (spec 15.10). */
export function buildThread(context: ThreadContext, earlier: readonly EarlierMail[]): MailThread {
  const { message, root, formatId } = context;
  const ids = earlier.flatMap((mail) => findMessageId(mail, formatId) ?? []);
  const references = [...new Set([root, ...ids.slice(1 - MAX_REFERENCES)])];
  return {
    messageId: formatId(message),
    inReplyTo: ids.at(-1),
    references,
    subject: chooseSubject(context, earlier),
  };
}

function findMessageId(
  { id, role, meta }: EarlierMail,
  formatId: ThreadContext['formatId'],
): string | undefined {
  return role === 'contact' ? parseMessageId(readMail(meta)['messageId']) : formatId(id);
}

/** Returns undefined for any other text than a Message-ID. */
export function parseMessageId(given: unknown): string | undefined {
  const text = typeof given === 'string' ? given.trim() : '';
  const [, id] = text.length > MAX_MESSAGE_ID ? [] : (MESSAGE_ID.exec(text) ?? []);
  return id === undefined ? undefined : `<${id}>`;
}

function chooseSubject(
  { conversationName, fromName, address }: ThreadContext,
  earlier: readonly EarlierMail[],
): string {
  const subjects = earlier.flatMap(({ role, meta }) =>
    role === 'contact' ? toLine(readMail(meta)['subject']) : '',
  );
  const last = subjects.findLast((subject) => subject !== '');
  if (last !== undefined) return REPLY.test(last) ? last : `Re: ${last}`;
  return toLine(conversationName) || `Message from ${fromName ?? address}`;
}

/** Callers write `meta` freely. */
function readMail(meta: Meta | undefined): Record<string, unknown> {
  return toFields(meta?.['email']);
}

function toLine(given: unknown): string {
  if (typeof given !== 'string') return '';
  return Array.from(toOneLine(given)).slice(0, MAX_SUBJECT).join('');
}
