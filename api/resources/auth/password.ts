import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../../domain/errors.ts';
import { FairScheduler } from '../../../platform/concurrency/fair-scheduler.ts';

/** Hashes with argon2id. `asker` is the fairness key of `runHashing`. */
export function hashPassword(password: string, asker: string): Promise<string> {
  // The package's defaults follow OWASP's recommendation for argon2id.
  return runHashing(asker, () => hash(password));
}

export interface Guess {
  passwordHash: string | undefined;
  password: string;
  /** Fairness key of `runHashing`: an address or a user. */
  asker: string;
}

let dummy: Promise<string> | undefined;

/** Takes the same time without a hash: timing must not reveal which emails exist. */
export async function passwordMatches({ passwordHash, password, asker }: Guess): Promise<boolean> {
  dummy ??= hash('nobody has this password');
  const compared = passwordHash ?? (await dummy);
  const matches = await runHashing(asker, () => verify(compared, password));
  return matches && passwordHash !== undefined;
}

/** Common parent of all askers: the queue keeps room for new askers. */
const ALL_CALLERS = 'everybody';

const turns = new FairScheduler({
  max: 1,
  // About six seconds of work. One asker may fill half of it.
  maxWaiting: 400,
  refusal: () =>
    new DomainError('rate_limited', 'Too many logins at once. Please try again.', { retryAfterSeconds: 1 }),
});

/**
 * Runs CPU-bound work one piece at a time, with askers taking turns: a flood of logins occupies one
 * core, and delays others by one piece per asker. Throws DomainError `rate_limited` if the queue is
 * full.
 */
function runHashing<T>(asker: string, work: () => Promise<T>): Promise<T> {
  return turns.run([ALL_CALLERS, asker], work);
}
