import { readMessageId } from './proof.ts';
import type { MailName, Sign } from './proof.ts';

/** The report of a mail server about a mail of ours (RFC 3464). */
export interface Bounce extends MailName {
  action: string;
  /** Status code of RFC 3463. */
  code: string;
  reason: string;
}

const REPORT = /^content-type:[ \t]*multipart\/report\b/im;
const DELIVERY = /\breport-type="?delivery-status\b/i;
const OWN_IDS = /<[0-9a-f]{24}\.[0-9a-f]{24}\.[a-z2-7]{16}@[^<>\s]{1,255}>/gi;
const MAX_REPORT = 256 * 1024;
const MAX_REASON = 500;

/** Returns whether a mail is the report of a mail server about another mail. */
export function isDeliveryReport(raw: string): boolean {
  const end = raw.search(/\r?\n\r?\n/);
  const head = unfold(raw.slice(0, end === -1 ? MAX_REPORT : end));
  return REPORT.test(head) && DELIVERY.test(head);
}

/** Returns null unless the report has a signed Message-ID of the domain (spec 15.11). */
export function readBounce(raw: string, domain: string, sign: Sign): Bounce | null {
  const text = unfold(raw.slice(0, MAX_REPORT));
  for (const [id] of text.matchAll(OWN_IDS)) {
    const name = readMessageId(id, domain, sign);
    if (name === null || name === 'forged') continue;
    const code = /^status:[ \t]*(\d\.\d{1,3}\.\d{1,3})/im.exec(text)?.[1] ?? '5.0.0';
    const action = /^action:[ \t]*(\w+)/im.exec(text)?.[1]?.toLowerCase() ?? 'failed';
    const diagnosis = /^diagnostic-code:[ \t]*(?:[\w-]+[ \t]*;)?[ \t]*([^\r\n]{1,2000})/im.exec(text)?.[1];
    const reason = (diagnosis ?? `The mail was returned with the status ${code}.`)
      .trim()
      .slice(0, MAX_REASON);
    return { ...name, action, code, reason };
  }
  return null;
}

/** Joins the lines of each header. */
function unfold(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n[ \t]+/g, ' ');
}
