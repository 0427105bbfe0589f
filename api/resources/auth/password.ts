import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../../domain/errors.ts';
import { createFairQueue } from '../../../application/expressions/fair-queue.ts';

/** Returns an argon2id hash in PHC format. `asker` is the fairness key of `runHashing`. */
export function hashPassword(password: string, asker: string): Promise<string> {
  // The package's defaults are argon2id with the parameters that OWASP recommends.
  return runHashing(asker, () => hash(password));
}

export interface Guess {
  passwordHash: string | undefined;
  password: string;
  /** Fairness key of `runHashing`: an address or a user. */
  asker: string;
}

let dummy: Promise<string> | undefined;

/** Takes the same time without a hash, so that timing does not reveal whether an email exists. */
export async function passwordMatches({ passwordHash, password, asker }: Guess): Promise<boolean> {
  dummy ??= hash('nobody has this password');
  const compared = passwordHash ?? (await dummy);
  const matches = await runHashing(asker, () => verify(compared, password));
  return matches && passwordHash !== undefined;
}

/** About six seconds of work. A single asker may fill half of the queue. */
const MAX_WAITING = 400;
/** Common parent of all askers: it leaves room for new ones in the queue. */
const ALL_CALLERS = 'everybody';

const waiting = createFairQueue<() => void>(MAX_WAITING);
let busy = false;

/**
 * Runs CPU-bound work one piece at a time in this process, with askers taking turns. A flood of
 * logins occupies one core, and another login waits for one piece per flooding asker. Throws
 * DomainError `rate_limited` if the queue is full.
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
