import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../../domain/errors.ts';
import { FairScheduler } from '../../../platform/concurrency/fair-scheduler.ts';

export function hashPassword(password: string, asker: string): Promise<string> {
  // The package's defaults follow OWASP's recommendation for argon2id.
  return runHashing(asker, () => hash(preparePassword(password)));
}

/** See RFC 8265, OpaqueString. */
function preparePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/**
 * Older versions stored passwords as sent. Copying adds blanks and line ends, and some keyboards
 * type full-width letters.
 */
function spellings(password: string): string[] {
  const prepared = preparePassword(password);
  const compatible = prepared.normalize('NFKC');
  return [...new Set([prepared, password, password.normalize('NFD'), prepared.trim(), compatible])];
}

export interface Guess {
  passwordHash: string | undefined;
  password: string;
  /** An address or a user. */
  asker: string;
}

let dummy: Promise<string> | undefined;

/** Takes the same time without a hash, so that timing does not reveal which emails exist. */
export async function passwordMatches({ passwordHash, password, asker }: Guess): Promise<boolean> {
  dummy ??= hash('nobody has this password');
  const compared = passwordHash ?? (await dummy);
  for (const spelling of spellings(password)) {
    const matches = await runHashing(asker, () => verify(compared, spelling));
    if (matches) return passwordHash !== undefined;
  }
  return false;
}

/** Common parent of all askers. */
const ALL_CALLERS = 'everybody';

const turns = new FairScheduler({
  max: 1,
  // About six seconds of work. One asker may fill half of the queue.
  maxWaiting: 400,
  refusal: () =>
    new DomainError('rate_limited', 'Too many logins at once. Please try again.', { retryAfterSeconds: 1 }),
});

/**
 * Runs one CPU-bound task at a time, and askers take turns: a flood of logins occupies one core.
 * Throws DomainError `rate_limited` if the queue is full.
 */
function runHashing<T>(asker: string, work: () => Promise<T>): Promise<T> {
  return turns.run([ALL_CALLERS, asker], work);
}
