import { invalidRequest } from '../errors.ts';
import { parseTime } from '../query/values.ts';
import { definedFields } from '../record-fields.ts';
import type { NullableFields } from '../record-fields.ts';
import type { MessageDraft } from './message.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAX_WAIT_MS = 400 * DAY_MS;

/** A request may be repeated for a day (spec 2.8), also when the time has passed by then. */
const MAX_PAST_MS = DAY_MS;

/** When a message is due (spec 6.4): a delay from `createdAt`, a time, or at once. */
export type Schedule = Pick<MessageDraft, 'delay' | 'sendAt'>;

/**
 * Parses the time that a caller gives. Throws DomainError `invalid_request` for both fields, a time
 * that is not ISO 8601, and a time outside the bounds, which are counted from `now`.
 */
export function parseSchedule({ delay, sendAt }: NullableFields<Schedule>, now: string): Schedule {
  if (delay != null && sendAt != null) throw invalidRequest('sendAt', 'cannot be given beside delay');
  if (delay != null && !(Number.isInteger(delay) && delay >= 0 && delay <= MAX_WAIT_MS)) {
    throw invalidRequest('delay', `must be a whole number of milliseconds from 0 to 34,560,000,000`);
  }
  return definedFields({ delay, sendAt: sendAt == null ? undefined : parseSendAt(sendAt, now) });
}

function parseSendAt(given: string, now: string): string {
  const time = parseTime(given, 'sendAt');
  const wait = time.getTime() - Date.parse(now);
  if (wait > MAX_WAIT_MS) throw invalidRequest('sendAt', 'must be within the next 400 days');
  if (wait < -MAX_PAST_MS) throw invalidRequest('sendAt', 'was more than a day ago');
  return time.toISOString();
}

/** Returns the time at which a message is due, or undefined if it is due on receipt. */
export function findDueTime({
  delay = 0,
  sendAt,
  createdAt,
}: Schedule & Pick<MessageDraft, 'createdAt'>): string | undefined {
  const received = Date.parse(createdAt);
  const due = sendAt === undefined ? received + delay : Date.parse(sendAt);
  return due > received ? new Date(due).toISOString() : undefined;
}
