import { formatLines } from './channels/email/compose.ts';
import { ACCOUNT_MAIL_TEXTS } from './account-mail-texts.ts';
import type { AccountMailKind } from './account-mail-texts.ts';
import { chooseLanguage, findLanguageTag, readChosenLanguage } from './languages.ts';
import type { LanguageTag } from './languages.ts';
import type { LockOut } from './limits/lock-out.ts';

export type { AccountMailKind };

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
export const INVITATION_LIMIT: LockOut = { maxAttempts: 100, windowMs: HOUR_S * 1000 };

interface AccountMailFacts {
  kind: AccountMailKind;
  language: LanguageTag;
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

const MAX_TITLE = 80;

/** A line break in a name would begin another header, and an address would become a link. */
export function toPlainTitle(name: string): string {
  const line = name.replace(/[\p{Cc}\s]+/gu, ' ').replace(/https?:\/*/gi, '');
  return line.trim().slice(0, MAX_TITLE);
}

/**
 * Returns the language that the recipient chose, else of the organization (`settings.locale`), else
 * the first of the wanted languages that has texts.
 */
export function chooseMailLanguage(
  recipient: { settings?: unknown },
  organization: { settings?: unknown } | null,
  wanted: readonly string[],
): LanguageTag {
  const { locale } = (organization?.settings ?? {}) as { locale?: unknown };
  const own = [readChosenLanguage(recipient.settings) ?? '', typeof locale === 'string' ? locale : ''];
  return findLanguageTag(chooseLanguage([...own, ...wanted])) ?? 'en';
}

/** Returns a mail in plain text and in HTML. */
export function composeAccountMail({
  kind,
  language,
  organization,
  email,
  url,
}: AccountMailFacts): AccountMail {
  const { hello, signIn, kinds } = ACCOUNT_MAIL_TEXTS[language];
  const { subject, lines, end } = kinds[kind];
  const title = toPlainTitle(organization);
  const paragraphs = [hello, lines.join('\n'), url, signIn(email, title), end];
  return {
    subject: subject(title),
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map(formatLines).join('\n'),
  };
}
