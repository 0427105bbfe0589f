import { createHmac, randomBytes } from 'node:crypto';
import { newId, newSlug } from '../store/queries/identifier.ts';

/**
 * Makes the names of new records: the same ones again when a request is taken over under its
 * Idempotency-Key, or an event is run again.
 */
export interface IdGenerator {
  newId: () => string;
  newSlug: () => string;
}

const TIME_DIGITS = 8;
const REST_DIGITS = 10;
const COUNT_DIGITS = 6;
const SLUG_LENGTH = 16;

/** Names that nobody can make again. */
export const randomIds: IdGenerator = { newId, newSlug };

/** What a request's names shall follow from: its time, like that of an id, and a secret. */
export function newSeed(): string {
  return newId().slice(0, TIME_DIGITS) + randomBytes(32).toString('hex');
}

/**
 * Names that follow from the seed: whoever runs the same request again makes the same ones. Ids
 * rise within the request.
 */
export function seededIds(seed: string): IdGenerator {
  const time = seed.slice(0, TIME_DIGITS);
  const secret = seed.slice(TIME_DIGITS);
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  const rest = digest('ids').toString('hex').slice(0, REST_DIGITS);
  let ids = 0;
  let slugs = 0;
  return {
    newId: () => `${time}${rest}${(ids++).toString(16).padStart(COUNT_DIGITS, '0')}`,
    newSlug: () => digest(`slug ${slugs++}`).toString('base64url').slice(0, SLUG_LENGTH),
  };
}
