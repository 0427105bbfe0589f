import { simpleParser } from 'mailparser';
import type { AddressObject } from 'mailparser';
import { AUTOMATIC_HEADERS } from '../../domain/channels/email/automatic.ts';
import type { MailHeaders } from '../../domain/channels/email/automatic.ts';
import { isDeliveryReport } from '../../domain/channels/email/bounce.ts';

export interface MailAttachment {
  name: string;
  type: string;
  content: Uint8Array;
}

export interface ReadMail {
  from?: { address: string; name: string } | undefined;
  subject: string;
  messageId: string;
  /** Message-IDs that the mail names, first the mail that it replies to. */
  references: string[];
  headers: MailHeaders;
  text: string;
  attachments: MailAttachment[];
  /** The beginning of a report about a mail of ours. */
  report?: string | undefined;
}

const MAX_TEXT = 200_000;
const MAX_HTML = 1_000_000;
const MAX_REFERENCES = 50;
const MAX_REPORT_BYTES = 256 * 1024;

const OPTIONS = {
  ...{ skipTextToHtml: true, skipImageLinks: true, keepCidLinks: true, checksumAlgo: false as const },
  maxHtmlLengthToParse: MAX_HTML,
};

/** Reads a mail. Runs in a thread that has bounds (parser.ts). */
export async function parseMail(raw: Buffer): Promise<ReadMail> {
  const mail = await simpleParser(raw, OPTIONS);
  const lines = new Map(
    mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1).trim()]),
  );
  const start = raw.toString('latin1', 0, MAX_REPORT_BYTES);
  const named = [mail.inReplyTo ?? '', ...[mail.references ?? []].flat().reverse()];
  return {
    from: readSender(mail.from) ?? readSender(mail.replyTo),
    subject: (mail.subject ?? '').slice(0, MAX_TEXT),
    messageId: mail.messageId ?? '',
    references: named.filter((id) => id !== '').slice(0, MAX_REFERENCES),
    headers: Object.fromEntries(
      AUTOMATIC_HEADERS.flatMap((name): [string, string][] => {
        const value = lines.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    text: withoutMarks(mail.text?.trim() ? mail.text : await readHtml(mail.html)).slice(0, MAX_TEXT),
    attachments: mail.attachments.map(({ filename: name = '', contentType: type, content }) => {
      return { name, type, content };
    }),
    report: isDeliveryReport(start) ? start : undefined,
  };
}

/** Removes the marks of inline pictures, which are files of the mail. */
function withoutMarks(text: string): string {
  return text.replace(/ ?\[cid:[^\s\]]{1,250}\]/gi, '');
}

/** mailparser converts HTML to text only if the mail is nothing else. */
async function readHtml(html: string | false | undefined): Promise<string> {
  if (!html) return '';
  const { text = '' } = await simpleParser(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`, OPTIONS);
  return text;
}

function readSender(header: AddressObject | undefined): ReadMail['from'] {
  const first = header?.value.find(({ address }) => address);
  return first?.address ? { address: first.address, name: first.name } : undefined;
}
