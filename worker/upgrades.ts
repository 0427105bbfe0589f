import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { storeDate } from '../store/cluster/clock.ts';
import { foldSearchWords } from '../store/conversations/fold-search-words.ts';
import { isUpgraded, noteUpgraded } from '../store/cluster/upgrades.ts';
import { nameUsers } from '../store/accounts/user-names.ts';

const AGAIN_AFTER_MS = 10_000;

/** Ends the work; a later start goes on with it. */
export interface Upgrades {
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
        await nameUsers(goesOn);
        await once('folded-search-words', foldSearchWords);
        return;
      } catch (error) {
        log.warn({ err: error }, 'cannot upgrade what is stored');
        await wait(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function once(name: string, work: (goesOn: () => boolean) => Promise<boolean>): Promise<void> {
    if ((await isUpgraded(name)) || !(await work(goesOn))) return;
    await noteUpgraded(name, storeDate());
    log.info({ upgrade: name }, 'what was stored before is upgraded');
  }

  const upgrading = upgrade();
  return {
    async end() {
      ending.abort();
      await upgrading;
    },
  };
}
