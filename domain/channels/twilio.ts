import type { Bar } from './channel-type.ts';
import { boundThrottle } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { Receipt } from './receipt.ts';

export const TWILIO_URL = 'https://api.twilio.com';

export const MAX_SMS_CHARACTERS = 1_600;
export const MAX_SMS_MEDIA = 10;

/** `status` is absent if no response came. */
export interface TwilioAnswer {
  status?: number | undefined;
  code?: number | undefined;
  message?: string | undefined;
  sid?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** Errors of the recipient's number. */
export const TWILIO_BARS: Readonly<Record<number, Bar>> = {
  21610: 'opted_out',
  21211: 'unreachable',
  21214: 'unreachable',
  21217: 'unreachable',
  21614: 'unreachable',
  30005: 'unreachable',
  30006: 'unreachable',
};

/** Errors that every message has until the account is changed. */
const BROKEN: readonly number[] = [
  10001, 20003, 20005, 20006, 20008, 20404, 21603, 21606, 21609, 21659, 21660, 21701, 21703, 21705, 30002,
];

/** Usual wait by error, in milliseconds. */
const THROTTLED: Readonly<Record<number, number>> = { 20429: 1_000, 21611: 60_000, 63017: 1_000 };

/** Returns the outcome of a response of Twilio (spec 15.9). */
export function judgeAnswer(answer: TwilioAnswer): Outcome {
  const { status, code, sid, retryAfterSeconds } = answer;
  const reason = describeAnswer(answer);
  if (status === undefined || status === 408 || status >= 500) return { is: 'uncertain', reason };
  if (status < 300) return sid === undefined ? { is: 'uncertain', reason } : { is: 'sent', externalId: sid };
  const usualMs = code === undefined ? undefined : THROTTLED[code];
  if (status === 429 || usualMs !== undefined) {
    const asked = retryAfterSeconds === undefined ? usualMs : retryAfterSeconds * 1000;
    return { is: 'throttled', afterMs: boundThrottle(asked), reason };
  }
  if (code !== undefined && BROKEN.includes(code)) return { is: 'broken', reason };
  if (code !== undefined && status >= 400 && code !== 20409) {
    return { is: 'refused', code: String(code), reason, bar: TWILIO_BARS[code] };
  }
  if (status === 401 || status === 403) return { is: 'broken', reason };
  return { is: 'retry', reason };
}

function describeAnswer({ status, code, message }: TwilioAnswer): string {
  const words = message === undefined || message === '' ? undefined : message;
  if (code !== undefined) return words ?? describeError(String(code));
  return words ?? `Twilio responded with ${status ?? 'nothing'}.`;
}

/** Callbacks have no words. */
export const TWILIO_REASONS: Readonly<Record<string, string>> = {
  21610: 'The recipient has opted out.',
  30001: "Twilio's queue was full.",
  30002: 'The Twilio account is suspended.',
  30003: 'The telephone cannot be reached: it may be switched off.',
  30004: 'The recipient or the carrier blocks the message.',
  30005: 'The number is unknown or not in use any more.',
  30006: 'The number is a landline, or its carrier takes no SMS.',
  30007: 'The carrier filtered the message as unwanted.',
  30008: 'The carrier gave no reason.',
  30034: 'The sending number is not registered with the carriers (A2P 10DLC).',
};

function describeError(code: string): string {
  return (
    TWILIO_REASONS[code] ??
    `Twilio reported the error ${code}: https://www.twilio.com/docs/api/errors/${code}`
  );
}

const CODE = /^\d{4,6}$/;

/** Other statuses are of inbound messages. */
const STATUSES: Readonly<Record<string, Receipt['status']>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  partially_delivered: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

export type TwilioReceipt = Pick<Receipt, 'status' | 'error'> & { bar?: Bar | undefined };

export function parseStatus(status: string, errorCode: string): TwilioReceipt | null {
  const known = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  if (known === undefined) return null;
  if (known !== 'failed') return { status: known };
  const code = CODE.test(errorCode) ? errorCode : status;
  const message = CODE.test(errorCode)
    ? describeError(errorCode)
    : `Twilio reported the message as ${status}.`;
  return { status: known, error: { code, message }, bar: TWILIO_BARS[Number(errorCode)] };
}
