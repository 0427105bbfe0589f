import { randomBytes, randomInt } from 'node:crypto';
import { storeNow } from '../cluster/clock.ts';

/** Hex digits: seconds as in an ObjectId, and the milliseconds of the second. */
const SECOND_DIGITS = 8;
const MILLISECOND_DIGITS = 3;
const COUNT_DIGITS = 6;
const COUNTS = 16 ** COUNT_DIGITS;
const PROCESS_DIGITS = 24 - SECOND_DIGITS - MILLISECOND_DIGITS - COUNT_DIGITS;

/** What tells the ids of this process from those of others in the same millisecond. */
const ofProcess = randomBytes(4).toString('hex').slice(0, PROCESS_DIGITS);
let count = randomInt(COUNTS);
let latestMs = 0;

/**
 * A new id: 24 hex characters that rise with the millisecond in which it is made, whichever process
 * makes it, and within this process always (spec 2.1).
 */
export function newId(): string {
  count += 1;
  if (count === COUNTS) {
    count = 0;
    latestMs += 1;
  }
  const { second, millisecond } = idTime();
  return `${second}${millisecond}${ofProcess}${hex(count, COUNT_DIGITS)}`;
}

/** The time by the store's clock, as ids begin with it. */
export function idTime(): { second: string; millisecond: string } {
  latestMs = Math.max(latestMs, storeNow());
  return {
    second: hex(Math.floor(latestMs / 1000), SECOND_DIGITS),
    millisecond: hex(latestMs % 1000, MILLISECOND_DIGITS),
  };
}

/** A number as so many hex digits. */
export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** A new slug: 16 random URL-safe characters (spec 5.1). */
export function newSlug(): string {
  return randomBytes(12).toString('base64url');
}
