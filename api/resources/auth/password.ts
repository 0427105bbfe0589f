import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../../domain/errors.ts';
import { createFairQueue } from '../../../application/expressions/fair-queue.ts';

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

/** About six seconds of work. One asker may fill half of it. */
const MAX_WAITING = 400;
/** Common parent of all askers, so that the queue keeps room for new ones. */
const ALL_CALLERS = 'everybody';

const waiting = createFairQueue<() => void>(MAX_WAITING);
let busy = false;

/**
 * Runs CPU-bound work one piece at a time, with askers taking turns: a flood of logins occupies one
 * core, and delays others by one piece per asker. Throws DomainError `rate_limited` if the queue is
 * full.
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
