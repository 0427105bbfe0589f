import { createCooldown } from './cooldown.ts';
import type { Cooldown } from './cooldown.ts';
import { repeatingTask } from './repeating-task.ts';
import type { RepeatingTask } from './repeating-task.ts';
import { withTimeout } from './with-timeout.ts';

/** Maximum relative extension of a period: processes that start together drift apart. */
const JITTER = 0.1;

export interface WarningLog {
  warn: (facts: object, message: string) => void;
}

interface Period {
  /** Completes the log message "failed to …". */
  name: string;
  everyMs: number;
  /** As in RepeatOptions. */
  isWanted?: () => boolean;
}

/** Searches periodically for work that a crash or an outage left unfinished, and completes it. */
export interface RecoveryTask<T> extends Period {
  /** `resting` has the items that are being recovered, or were recovered within `cooldownMs`. */
  find: (resting: Cooldown) => Promise<readonly T[]>;
  /** Returns the id of an item, for the cooldown and the log. */
  key: (item: T) => string;
  recover: (item: T) => Promise<unknown>;
  /** Default: 0. An item whose recovery failed has no cooldown. */
  cooldownMs?: number;
  /** Longest time that the next round waits for recoveries. Default: until all have ended. */
  maxWaitMs?: number;
  /** Checked after each round. On true the next round follows at once. */
  hasMore?: () => boolean;
}

/**
 * Creates a task that recovers all items of a round concurrently, and never one item twice at once.
 * Logs failures; a later round finds the items again.
 */
export function recoveryTask<T>(task: RecoveryTask<T>, log: WarningLog): RepeatingTask {
  const { name, find, key, recover, cooldownMs = 0, maxWaitMs, hasMore } = task;
  const resting = createCooldown(cooldownMs);

  async function recoverAll(items: readonly T[]): Promise<void> {
    const ends = await Promise.allSettled(
      items.map((item) => resting.during(key(item), () => recover(item))),
    );
    const failed = items.filter((_, at) => ends[at]?.status === 'rejected');
    if (failed.length === 0) return;
    const first = ends.find((end) => end.status === 'rejected');
    log.warn({ err: first?.reason as unknown, items: failed.map(key) }, `failed to ${name}`);
  }

  async function round(): Promise<boolean> {
    const found = (await find(resting)).filter((item) => !resting.has(key(item)));
    const recovering = recoverAll(found);
    await (maxWaitMs === undefined ? recovering : withTimeout(recovering, maxWaitMs, () => undefined));
    return hasMore?.() ?? false;
  }

  return periodicTask({ ...task, run: round }, log);
}

export function periodicTask(
  { name, everyMs, isWanted, run }: Period & { run: () => Promise<unknown> },
  log: WarningLog,
): RepeatingTask {
  return repeatingTask(run, {
    everyMs: everyMs * (1 + JITTER * Math.random()),
    waitsFirst: true,
    isWanted,
    onError: (error) => log.warn({ err: error }, `failed to ${name}`),
  });
}
