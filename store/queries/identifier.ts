import { randomBytes, randomInt } from 'node:crypto';
import { storeNow } from '../cluster/clock.ts';

/** Hex digits per part. Seconds come first, as in an ObjectId. */
const SECOND_DIGITS = 8;
const MILLISECOND_DIGITS = 3;
const COUNT_DIGITS = 6;
const COUNTS = 16 ** COUNT_DIGITS;
const PROCESS_DIGITS = 24 - SECOND_DIGITS - MILLISECOND_DIGITS - COUNT_DIGITS;

const ofProcess = randomBytes(4).toString('hex').slice(0, PROCESS_DIGITS);
let count = randomInt(COUNTS);
let latestMs = 0;

/**
 * Returns 24 hex characters. Ids rise with the millisecond, and within a process with each call
 * (spec 2.1).
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

/** Never goes backwards. */
export function idTime(): { second: string; millisecond: string } {
  latestMs = Math.max(latestMs, storeNow());
  return {
    second: hex(Math.floor(latestMs / 1000), SECOND_DIGITS),
    millisecond: hex(latestMs % 1000, MILLISECOND_DIGITS),
  };
}

export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Returns 16 random URL-safe characters (spec 5.1). */
export function newSlug(): string {
  return randomBytes(12).toString('base64url');
}
