import { createHmac, randomBytes } from 'node:crypto';
import { hex, idTime, newId, newSlug } from '../../store/queries/identifier.ts';

/** A seeded generator mints the same ids when a request or a business event is repeated. */
export interface IdGenerator {
  newId: () => string;
  newSlug: () => string;
}

const ID_DIGITS = 24;
const SLUG_LENGTH = 16;

export const randomIds: IdGenerator = { newId, newSlug };

export function newSeed(): string {
  const { second, millisecond } = idTime();
  return `${second}${randomBytes(32).toString('hex')}m${millisecond}`;
}

/** The seed of a pending chat is truncated and lacks the milliseconds. */
const SEED = /^(?<second>[0-9a-f]{8})(?<secret>[0-9a-f]+)(?:m(?<millisecond>[0-9a-f]{3}))?$/;
const COUNT_DIGITS = { ofSecond: 6, ofMillisecond: 4 };

/**
 * Creates a generator of ids that depend only on the seed. Ids rise within a generator, and with
 * the seed's time.
 */
export function createSeededIds(seed: string): IdGenerator {
  const { second = '', secret = '', millisecond = '' } = SEED.exec(seed)?.groups ?? {};
  // Without a secret, all requests would mint the same ids.
  if (secret === '') throw new Error('Invalid id seed.');
  const time = second + millisecond;
  const countDigits = millisecond === '' ? COUNT_DIGITS.ofSecond : COUNT_DIGITS.ofMillisecond;
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  const rest = digest('ids')
    .toString('hex')
    .slice(0, ID_DIGITS - time.length - countDigits);
  let ids = 0;
  let slugs = 0;
  return {
    newId: () => `${time}${rest}${hex(ids++, countDigits)}`,
    newSlug: () => digest(`slug ${slugs++}`).toString('base64url').slice(0, SLUG_LENGTH),
  };
}
