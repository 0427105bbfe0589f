import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../../domain/errors.ts';
import { createFairQueue } from '../../../application/expressions/fair-queue.ts';

/**
 * The argon2id hash of a password, in PHC format. `asker` waits with others who have passwords
 * hashed (`inHashingTurn`).
 */
export function hashPassword(password: string, asker: string): Promise<string> {
  // The package's defaults are argon2id with the parameters that OWASP recommends.
  return runHashing(asker, () => hash(password));
}

/** Somebody says a password. */
export interface Guess {
  passwordHash: string | undefined;
  password: string;
  /** Who waits with others who have passwords hashed (`inHashingTurn`): an address or a user. */
  asker: string;
}

let dummy: Promise<string> | undefined;

/**
 * Whether the password is the hashed one. Takes as long where there is no hash: an unknown email
 * shall not be told by the clock.
 */
export async function passwordMatches({ passwordHash, password, asker }: Guess): Promise<boolean> {
  dummy ??= hash('nobody has this password');
  const compared = passwordHash ?? (await dummy);
  const matches = await runHashing(asker, () => verify(compared, password));
  return matches && passwordHash !== undefined;
}

/** Some six seconds of work. One asker alone may have half of it waiting, several share. */
const MAX_WAITING = 400;
/** Above all askers, so that none takes what the others leave free. */
const ALL_CALLERS = 'everybody';

const waiting = createFairQueue<() => void>(MAX_WAITING);
let busy = false;

/**
 * Runs work that keeps a core busy, as hashing a password does: one piece at a time in this
 * process, askers (addresses, users) by turns. So a storm of logins leaves a core to everybody
 * else, and whoever logs in meanwhile waits for one login of each stormer, not for all.
 *
 * Throws DomainError `rate_limited` where too much is waiting.
 */
async function runHashing<T>(asker: string, work: () => Promise<T>): Promise<T> {
  if (busy) await waitForTurn(asker);
  busy = true;
  try {
    return await work();
  } finally {
    const next = waiting.next(() => true);
    if (next) next();
    else busy = false;
  }
}

function waitForTurn(asker: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (waiting.add([ALL_CALLERS, asker], resolve)) return;
    reject(
      new DomainError('rate_limited', 'Too many logins at once. Please try again.', { retryAfterSeconds: 1 }),
    );
  });
}
