import type { ErrorCode } from '../../../domain/errors.ts';
import type { Texts as PageTexts } from '../../texts/en.ts';
import type { ACCOUNT_WORDS } from '../account/texts.ts';
import type { channels } from '../channels/texts.ts';
import type { words as contacts } from '../contacts/texts.ts';
import type { EVENT_WORDS, INGEST_WORDS } from '../events/texts.ts';
import type { narrowing, selection } from '../inbox/narrowing-texts.ts';
import type { INBOX_WORDS, history, labels } from '../inbox/texts.ts';
import type { OPERATION_WORDS } from '../operations/texts.ts';
import type { KIND_WORDS, TASK_WORDS, TEAMS_WORDS, WIDGET_WORDS } from '../records/texts.ts';
import type { words as reports } from '../reports/texts.ts';
import type { TEAM_WORDS } from '../team/texts.ts';
import type { TEXTS } from '../texts.ts';
import type { WORDS } from '../timers/texts.ts';
import type { webhooks } from '../webhooks/texts.ts';

/** The shape of English texts, with other words. */
type Translated<T> = T extends (...values: infer V) => string
  ? (...values: V) => string
  : T extends string
    ? string
    : { readonly [Name in keyof T]: Translated<T[Name]> };

export type Shell = Translated<typeof TEXTS>;
export type Inbox = Translated<typeof INBOX_WORDS>;
export type Labels = Translated<typeof labels>;
export type History = Translated<typeof history>;
export type Narrowing = Translated<typeof narrowing>;
export type Selection = Translated<typeof selection>;
export type Webhooks = Translated<typeof webhooks>;
export type Channels = Translated<typeof channels>;
export type Contacts = Translated<typeof contacts>;
export type Reports = Translated<typeof reports>;
export type Timers = Translated<typeof WORDS>;

/** All texts of the console in one language, by the names that `localize` gets. */
export interface Catalog {
  /** Texts of the first script. */
  shell: Shell;
  /** Texts of the parts that the console shares with the chat page. */
  page: PageTexts;
  inbox: Inbox;
  labels: Labels;
  history: History;
  narrowing: Narrowing;
  selection: Selection;
  webhooks: Webhooks;
  channels: Channels;
  contacts: Contacts;
  reports: Reports;
  timers: Timers;
  events: Translated<typeof EVENT_WORDS>;
  ingest: Translated<typeof INGEST_WORDS>;
  team: Translated<typeof TEAM_WORDS>;
  teams: Translated<typeof TEAMS_WORDS>;
  widget: Translated<typeof WIDGET_WORDS>;
  operations: Translated<typeof OPERATION_WORDS>;
  account: Translated<typeof ACCOUNT_WORDS>;
  kinds: Translated<typeof KIND_WORDS>;
  tasks: Translated<typeof TASK_WORDS>;
  refusals: Readonly<Record<Refusal, string>>;
  /** Texts of refusals whose sentence has no translation. */
  codes: Readonly<Record<TranslatedCode, string>>;
  /** Reasons of providers, by the code in `delivery.error` of a message. */
  reasons: Readonly<Record<ReasonCode, string>>;
}

/** Texts that are loaded beside the screens. */
export type LaterTexts = Omit<Catalog, 'shell'>;

/** The other codes are too general, or no user of the console meets them. */
export type TranslatedCode = Extract<
  ErrorCode,
  | 'otp_required'
  | 'forbidden'
  | 'token_expired'
  | 'not_found'
  | 'precondition_failed'
  | 'too_large'
  | 'rate_limited'
  | 'login_locked'
  | 'unavailable'
  | 'paused'
  | 'internal'
>;

/** Codes of the product, of Twilio and of RFC 3463. */
export type ReasonCode =
  | 'given_up'
  | 'empty'
  | 'too_large'
  | 'undelivered'
  | 'failed'
  | 'canceled'
  | '21211'
  | '21214'
  | '21217'
  | '21610'
  | '21614'
  | '30001'
  | '30002'
  | '30003'
  | '30004'
  | '30005'
  | '30006'
  | '30007'
  | '30008'
  | '30034'
  | '5.1.1'
  | '5.1.2'
  | '5.1.3'
  | '5.1.6'
  | '5.1.10'
  | '5.2.1'
  | '5.2.2'
  | '5.2.3'
  | '5.3.4'
  | '5.4.4'
  | '5.7.1';

/** Common refusals of the API. `{}` is a value. The first that matches is used. */
export type Refusal =
  | 'is required'
  | 'must not be empty'
  | 'must have a visible character'
  | 'must have at least {} characters'
  | 'must have at most {} characters'
  | 'must have at least {} entries'
  | 'must have at most {} entries'
  | 'must be at least {}'
  | 'must be at most {}'
  | 'must be one of {}'
  | 'must not have an entry twice'
  | 'must be a text'
  | 'must be a number'
  | 'must be a whole number'
  | 'must be in the future'
  | 'must be within the next 400 days'
  | 'must be an email address and nothing else, as in ada@example.com'
  | 'must be an email address, as in support@example.com'
  | 'must be an absolute http or https url'
  | 'must be a telephone number and nothing else, as in +31201234567'
  | 'is not a telephone number that can exist; write it with + and its country code, as in +31201234567{}'
  | 'must be another contact'
  | 'is taken by another user'
  | 'is taken by another contact of the organization'
  | 'is taken by another event type of the organization'
  | 'is the name of another category'
  | 'is the name of another timer'
  | 'is not right'
  | 'is wrong'
  | 'is not an IANA time zone such as Europe/Amsterdam'
  | 'must be the name of a time zone such as Europe/Amsterdam'
  | 'must be a colour such as #3454d1'
  | 'there is no such user'
  | 'there is no such bot'
  | 'the event type has no expression yet'
  | 'a contact has at most {} labels'
  | 'a contact has at most {} notes; delete one first'
  | 'A label has at most {} characters.'
  | 'A file must not exceed {} MiB.'
  | '/snooze: the time must be in the future.'
  | '/snooze: the time must be within 400 days.'
  | '/snooze: the conversation is closed.'
  | 'The contact has a conversation already.'
  | 'One-time passwords are in use already. Remove them first.'
  | 'You are not a member of this channel.'
  | 'This is the last admin of the root organization: create another admin first.'
  | 'The link has expired.'
  | 'The link is not valid: it was used, or the email or the password has changed since.'
  | 'The email, the password or the one-time password is wrong.'
  | 'Too many logins at once. Please try again.'
  | 'Too many mails were requested. Please try again later.'
  | 'This server sends no mail. An admin of your organization can give you a link.'
  | 'Too many of your uploads are under way.'
  | 'The contact is being changed by others. Please try again.'
  | 'This needs scope {}; you have {}.'
  | 'The organization still has {}';
