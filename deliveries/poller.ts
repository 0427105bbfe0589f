import { findDue, deferDeliveries } from '../store/delivery/queue.ts';
import type { Pace } from '../domain/delivery/delivery.ts';
import type { Admission, AssignTenants } from './admission.ts';
import type { Backlog } from './backlog.ts';
import { createInterruptibleSleep } from '../platform/concurrency/with-timeout.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';

/**
 * How often the store is asked for due deliveries, how many at a time, and how long it is left in
 * peace for each time it took.
 */
const POLLS: Record<Pace, { everyMs: number; limit: number; rest: number }> = {
  prompt: { everyMs: 100, limit: 1_000, rest: 1 },
  patient: { everyMs: 250, limit: 250, rest: 4 },
};
const MAX_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 500;
/**
 * So many may as well be seen each time; more would cost more than the write that takes them out of
 * sight, and hide others.
 */
const MAX_SEEN_AGAIN = 100;

export interface PollerDeps {
  admission: Pick<Admission, 'offer' | 'start' | 'answers'>;
  backlog: Backlog;
  visibility: Visibility;
  withTenants: AssignTenants;
  /** The shards to look at now. */
  shards: () => number[];
  /** Whether there may be some later; else the looking ends. */
  goesOn: () => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Looks for due deliveries and offers their lanes, again and again while there are shards to look
 * at.
 */
export interface Poller {
  /** Looks soon; begins if it had ended. */
  pollNow(): void;
}

export function createPoller(deps: PollerDeps): Poller {
  const prompt = createPacePoller('prompt', deps);
  const patient = createPacePoller('patient', deps);
  return {
    pollNow() {
      prompt.pollNow();
      patient.pollNow();
    },
  };
}

function createPacePoller(pace: Pace, deps: PollerDeps): Poller {
  const { everyMs, rest } = POLLS[pace];
  const alarm = createInterruptibleSleep();
  let looking = false;

  async function pollForever(): Promise<void> {
    while (deps.goesOn()) {
      const startedAt = performance.now();
      const more = await pollOnce(pace, deps).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'cannot look for due deliveries');
        return null;
      });
      const tookMs = performance.now() - startedAt;
      const restMs = more === null ? REST_AFTER_ERROR_MS : Math.min(tookMs * (more ? 1 : rest), MAX_REST_MS);
      await alarm.sleep(restMs, more ? restMs : Math.max(restMs, everyMs));
    }
    looking = false;
  }

  return {
    pollNow() {
      alarm.ring();
      if (looking) return;
      looking = true;
      void pollForever();
    },
  };
}

/**
 * Answers whether there is more to be begun at once: as much as is looked for was there, and there
 * was a place for most of it.
 */
async function pollOnce(
  pace: Pace,
  { admission, backlog, shards, visibility, withTenants }: PollerDeps,
): Promise<boolean> {
  const { limit } = POLLS[pace];
  const lookedAt = shards();
  if (lookedAt.length === 0) return false;
  const due = await withTenants(await findDue({ pace, shards: lookedAt, limit }, storeDate()));
  const inTheWay = due.filter((row) => admission.offer(row) !== 'admitted');
  admission.start();
  if (inTheWay.length > MAX_SEEN_AGAIN) {
    await visibility.hide(inTheWay);
    for (const row of inTheWay) if (admission.answers(row.service)) backlog.drainService(row);
  }
  return due.length === limit && inTheWay.length < limit / 2;
}

/**
 * What there is no place for comes back into sight in a queue, at a pace at which it can be looked
 * at without harm to others.
 */
const BACK_IN_SIGHT_PER_SECOND = 250;
const LEAST_OUT_OF_SIGHT_MS = 1_000;

/** What is out of sight for a while. */
export interface Visibility {
  /** When so many more may come back into sight. */
  until: (count: number) => Date;
  /** Takes rows that stand in the way out of sight, so that others are seen. */
  hide: (rows: DueDelivery[]) => Promise<void>;
}

export function createVisibility(): Visibility {
  let lastBackAt = 0;

  function until(count: number): Date {
    const soonest = Math.max(lastBackAt, storeNow() + LEAST_OUT_OF_SIGHT_MS);
    lastBackAt = soonest + (count * 1_000) / BACK_IN_SIGHT_PER_SECOND;
    return new Date(lastBackAt);
  }

  return {
    until,
    hide: (rows) =>
      deferDeliveries(
        rows.map(({ _id }) => _id),
        until(rows.length),
      ),
  };
}
