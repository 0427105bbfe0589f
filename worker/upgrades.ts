import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { canonicalEmail } from '../domain/email.ts';
import { currentNumber } from '../posting/renumbered.ts';
import { fillLastMessageTimes } from '../store/conversations/fill-last-message-times.ts';
import { renewIdentifiers } from '../store/conversations/renew-identifiers.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { renewSearchWords } from '../store/conversations/renew-search-words.ts';
import { noteUpgraded, upgradedAt } from '../store/cluster/upgrades.ts';
import { nameUsers } from '../store/accounts/user-names.ts';

const AGAIN_AFTER_MS = 10_000;
/**
 * Processes of an earlier release may run beside new ones for so long: until then it is looked
 * again, at each start, for what they made since it was done.
 */
const DEPLOY_MS = 7 * 24 * 3600 * 1000;

const FORMS = { email: canonicalEmail, telephone: currentNumber };

type Work = (goesOn: () => boolean) => Promise<boolean>;

/** Ends the work; a later start goes on with it. */
export interface Upgrades {
  /** Resolves when all is done, or it was ended. */
  done: Promise<void>;
  end(): Promise<void>;
}

/**
 * Brings what earlier releases stored to the form that this one looks for, beside all other work
 * (docs/decisions/upgrades.md). What can be done by two workers at once may be; after an error it
 * is tried again.
 */
export function startUpgrades(log: Pick<Logger, 'warn' | 'info'>): Upgrades {
  const ending = new AbortController();
  const { signal } = ending;
  const goesOn = () => !signal.aborted;

  async function upgrade(): Promise<void> {
    while (goesOn()) {
      try {
        await once('named-users', nameUsers, DEPLOY_MS);
        await once('filled-last-message-times', fillLastMessageTimes, DEPLOY_MS);
        await once('renewed-identifiers', (mayGoOn) => renewIdentifiers(FORMS, mayGoOn), 0);
        await once('renewed-search-words', renewSearchWords, 0);
        return;
      } catch (error) {
        log.warn({ err: error }, 'cannot upgrade what is stored');
        await wait(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  // Looks again at each start for `againForMs` after the first time.
  async function once(name: string, work: Work, againForMs: number): Promise<void> {
    const doneAt = await upgradedAt(name);
    if (doneAt && storeNow() - doneAt.getTime() >= againForMs) return;
    if (!(await work(goesOn)) || doneAt) return;
    await noteUpgraded(name, storeDate());
    log.info({ upgrade: name }, 'what was stored before is upgraded');
  }

  const upgrading = upgrade();
  return {
    done: upgrading,
    async end() {
      ending.abort();
      await upgrading;
    },
  };
}
