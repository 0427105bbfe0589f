import { findDue, deferDeliveries } from '../store/delivery/queue.ts';
import type { Pace } from '../domain/delivery/delivery.ts';
import type { Admission, AssignTenants } from './admission.ts';
import type { Backlog } from './backlog.ts';
import { createInterruptibleSleep } from '../platform/concurrency/with-timeout.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';

/**
 * `everyMs`: interval of polls. `limit`: rows per poll. `rest`: pause as a multiple of the poll's
 * duration.
 */
const POLLS: Record<Pace, { everyMs: number; limit: number; rest: number }> = {
  prompt: { everyMs: 100, limit: 1_000, rest: 1 },
  patient: { everyMs: 250, limit: 250, rest: 4 },
};
const MAX_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 500;
/**
 * Up to this many blocked rows stay visible. Above it, deferring them with one write is cheaper
 * than polling them again.
 */
const MAX_SEEN_AGAIN = 100;

export interface PollerDeps {
  admission: Pick<Admission, 'offer' | 'start' | 'answers'>;
  backlog: Backlog;
  visibility: Visibility;
  withTenants: AssignTenants;
  shards: () => number[];
  goesOn: () => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/** Polls for due deliveries and offers their lanes while this process has shards. */
export interface Poller {
  /** Polls soon. Restarts polling if it had ended. */
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
        deps.log.warn({ err: error }, 'failed to poll due deliveries');
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

/** Returns whether to poll again at once: the poll was full and most of its rows were admitted. */
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

/** Deferred rows become visible at a rate that polls can handle without harm to other rows. */
const BACK_IN_SIGHT_PER_SECOND = 250;
const LEAST_OUT_OF_SIGHT_MS = 1_000;

/** Visibility timeouts of due rows. */
export interface Visibility {
  /**
   * Returns the time until which to hide the next `count` rows. Each call returns a later time, so
   * that rows become visible at a bounded rate.
   */
  until: (count: number) => Date;
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
