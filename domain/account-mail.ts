import { formatLines } from './channels/email/compose.ts';
import type { LockOut } from './limits/lock-out.ts';

/** Mails with a link by which a user sets a password (spec 3.10). */
export const ACCOUNT_MAIL_KINDS = ['invitation', 'passwordReset'] as const;
export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

const HOUR_S = 60 * 60;

/** In seconds. */
export const LINK_LIFETIMES: Readonly<Record<AccountMailKind, number>> = {
  invitation: 3 * 24 * HOUR_S,
  passwordReset: HOUR_S,
};

/** `reason` is for the admin who invited the user. `skipped`: no mail is sent. */
export type AccountMailResult =
  | { status: 'sent' }
  | { status: 'failed'; reason: string }
  | { status: 'skipped' };

/** Per organization, so that no tenant sends unwanted mail in the name of the operator. */
export const INVITATION_LIMIT: LockOut = { maxFailures: 100, windowMs: HOUR_S * 1000 };

interface AccountMailFacts {
  kind: AccountMailKind;
  /** Name of the organization of the user. */
  organization: string;
  email: string;
  url: string;
}

export interface AccountMail {
  subject: string;
  text: string;
  html: string;
}

const WORDS: Readonly<
  Record<
    AccountMailKind,
    { subject: (organization: string) => string; lines: readonly string[]; end: string }
  >
> = {
  invitation: {
    subject: (organization) => `Your account for ${organization}`,
    lines: ['You have been invited to answer conversations.', 'Open this page and choose a password:'],
    end: 'The page works once, within three days. If you did not expect this mail, ignore it.',
  },
  passwordReset: {
    subject: (organization) => `Your password for ${organization}`,
    lines: ['Somebody asked for a new password for your account.', 'Open this page and choose a password:'],
    end: 'The page works once, within an hour. If it was not you, ignore this mail: your password stays.',
  },
};

const MAX_TITLE = 80;

/** A line break in a name would begin another header, and an address would become a link. */
export function toPlainTitle(name: string): string {
  const line = name.replace(/[\p{Cc}\s]+/gu, ' ').replace(/https?:\/*/gi, '');
  return line.trim().slice(0, MAX_TITLE);
}

/** Returns a mail in plain text and in HTML. */
export function composeAccountMail({ kind, organization, email, url }: AccountMailFacts): AccountMail {
  const { subject, lines, end } = WORDS[kind];
  const title = toPlainTitle(organization);
  const paragraphs = ['Hello,', ...[lines.join('\n'), url], `You sign in as ${email}, at ${title}.`, end];
  return {
    subject: subject(title),
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map(formatLines).join('\n'),
  };
}
