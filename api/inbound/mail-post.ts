import { Busboy } from '@fastify/busboy';
import type { BusboyHeaders } from '@fastify/busboy';
import { MAX_MAIL_BYTES } from '../../deliveries/mail/store-mail.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { parseOrNull, toFields } from '../../domain/json.ts';
import { isJsonType, parseMediaType } from '../pipeline/body.ts';

/** Postmark posts the attachments of a mail twice: in the mail, and beside it. */
export const MAX_MAIL_POST_BYTES = Math.ceil(2.2 * MAX_MAIL_BYTES);
const MAX_FIELDS = 100;

/** A whole mail that a provider posts (spec 15.12). */
export interface PostedMail {
  recipients: string[];
  /** Empty: a bounce. */
  sender: string;
  mail: Buffer;
}

/** Throws DomainError: `invalid_request` without a whole mail, `too_large` above 25 MiB. */
export async function parseMailPost(bytes: Buffer, contentType: string): Promise<PostedMail> {
  const posted = isJsonType(parseMediaType(contentType).type)
    ? parsePostmark(parseOrNull(bytes.toString()))
    : parseForm(await readFields(bytes, contentType));
  if (!posted) {
    const words =
      'has no whole mail: choose body-mime of Mailgun, raw MIME of SendGrid or RawEmail of Postmark';
    throw invalidRequest('body', words);
  }
  if (posted.mail.length > MAX_MAIL_BYTES) throw tooLargeError();
  return posted;
}

function tooLargeError(): DomainError {
  return new DomainError('too_large', `The mail must not exceed ${MAX_MAIL_BYTES / 1024 / 1024} MiB.`);
}

function parseForm(fields: ReadonlyMap<string, string>): PostedMail | null {
  const [mailgun, sendGrid] = [fields.get('body-mime'), fields.get('email')];
  const read = (name: string) => fields.get(name) ?? '';
  // One character of a field is one byte of the mail.
  const toBytes = (text: string) => Buffer.from(text, 'latin1');
  if (mailgun) return { recipients: [read('recipient')], sender: read('sender'), mail: toBytes(mailgun) };
  if (!sendGrid) return null;
  const { to, from } = toFields(parseOrNull(toBytes(read('envelope')).toString()));
  return { recipients: listTexts(to), sender: toText(from), mail: toBytes(sendGrid) };
}

function parsePostmark(body: unknown): PostedMail | null {
  const { RawEmail, OriginalRecipient, FromFull } = toFields(body);
  if (typeof RawEmail !== 'string' || RawEmail === '') return null;
  const sender = toText(toFields(FromFull)['Email']);
  return { recipients: listTexts([OriginalRecipient]), sender, mail: Buffer.from(RawEmail) };
}

function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Keeps the bytes of each value, one a character: a mail may have another charset. */
function readFields(bytes: Buffer, contentType: string): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(invalidRequest('body', 'is not a valid form'));
    try {
      const limits = { fieldSize: MAX_MAIL_BYTES, fields: MAX_FIELDS, files: 0, parts: MAX_FIELDS };
      const headers: BusboyHeaders = { 'content-type': contentType };
      const form = new Busboy({ headers, limits, defCharset: 'latin1' });
      const fields = new Map<string, string>();
      form.on('field', (name, value, _, isTruncated) => {
        if (isTruncated) reject(tooLargeError());
        else fields.set(name, value);
      });
      form.on('error', fail);
      form.on('finish', () => resolve(fields));
      form.end(bytes);
    } catch {
      fail();
    }
  });
}
