import type { Service } from '@parlance/client';
import { formatMoment } from '../inbox/texts.ts';
import { describeHealth, newSecret } from '../webhooks/webhook.ts';
import { channels as CHANNEL_WORDS } from './texts.ts';
import type { ChannelField, Params } from './fields.ts';
import { MAIL_FIELDS, readMailLogin, toMailParam, toMailParams } from './mail-login.ts';

/** A type of channel that the console can add (spec 15.1). */
export interface ChannelType {
  type: string;
  /** Carries this touchpoint. Absent: a field chooses it. */
  touchpoint?: string;
  /** The provider sends to PUBLIC_URL. */
  isCalledBack?: true;
  fields: readonly ChannelField[];
  toParams: (values: Params) => Params;
  /** Returns the param that holds a field, to show a refusal at the field. */
  toParam: (field: string, values: Params) => string;
  /** Returns the values of the fields without a param. */
  toFields?: (params: Params) => Params;
}

const SERVICE_SID = /^\s*MG/i;

/** Twilio sends from a number, or from the numbers of a messaging service. */
const senderParam = ({ sender = '' }: Params) =>
  SERVICE_SID.test(sender) ? 'messagingServiceSid' : 'number';

export const CHANNEL_TYPES: readonly [ChannelType, ...ChannelType[]] = [
  {
    type: 'twilio',
    touchpoint: 'sms',
    isCalledBack: true,
    fields: [
      { name: 'accountSid' },
      { name: 'authToken', type: 'password', isSecret: true },
      { name: 'sender' },
      { name: 'url', type: 'url', isOptional: true },
    ],
    toParams: ({ sender = '', ...values }) => ({ ...values, [senderParam({ sender })]: sender.trim() }),
    toParam: (field, values) => (field === 'sender' ? senderParam(values) : field),
    toFields: ({ messagingServiceSid, number = '' }) => ({ sender: messagingServiceSid ?? number }),
  },
  {
    type: 'email',
    touchpoint: 'email',
    fields: MAIL_FIELDS,
    toParams: toMailParams,
    toParam: toMailParam,
    toFields: readMailLogin,
  },
  {
    type: 'api',
    fields: [
      { name: 'url', type: 'url' },
      { name: 'touchpoint', type: 'touchpoint' },
      { name: 'secret', isSecret: true, initial: newSecret },
    ],
    toParams: (values) => values,
    toParam: (field) => field,
  },
];

export function findChannelType(type: string): ChannelType | undefined {
  return CHANNEL_TYPES.find((one) => one.type === type);
}

export function listShown({ fields }: ChannelType, values: Params): ChannelField[] {
  return fields.filter(({ isShown }) => isShown?.(values) ?? true);
}

export function nameType(type: string): string {
  return CHANNEL_WORDS.types[type]?.title ?? type;
}

/** Returns the values of the form. Secrets are empty. */
export function readValues({ fields, toFields }: ChannelType, { params }: Pick<Service, 'params'>): Params {
  const given = params as Params;
  const values: Partial<Params> = { ...given, ...toFields?.(given) };
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? '']));
}

/** Returns the params that the form was filled in with. Empty fields are left out. */
export function buildParams(type: ChannelType, values: Params): Service['params'] {
  const filled = listShown(type, values).flatMap(({ name }): [string, string][] =>
    values[name] ? [[name, values[name]]] : [],
  );
  return type.toParams(Object.fromEntries(filled));
}

interface ChannelState {
  kind: Service['status'] | 'failing';
  word: string;
  why?: string | undefined;
  /** The cure. */
  what?: string | undefined;
}

export function describeState(service: Service): ChannelState {
  const { status, statusReason, failingSince, mailbox } = service;
  const { states, todo } = CHANNEL_WORDS;
  if (status !== 'active')
    return { kind: status, word: states[status], why: statusReason, what: todo[status] };
  if (failingSince === undefined) {
    if (mailbox?.status !== 'failed') return { kind: status, word: states.active };
    const why = CHANNEL_WORDS.unreadSince(formatMoment(mailbox.since), mailbox.reason);
    return { kind: 'failing', word: states.unread, why, what: todo.unread };
  }
  return { kind: 'failing', word: states.failing, why: describeHealth(service).words, what: todo.failing };
}

/** A provider on the internet cannot reach a loopback address. */
export function isUnreachable(publicUrl: string): boolean {
  const host = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : '';
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
