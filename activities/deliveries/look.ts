import { deferDeliveries, findDue } from '../../store/delivery-queue.ts';
import type { DueDelivery } from '../../store/delivery-queue.ts';
import type { Admission } from './admission.ts';
import { createAlarm } from './alarm.ts';

/** How often the store is asked for due deliveries that nobody in this process spoke of. */
const EVERY_MS = 100;
const MOST_PER_LOOK = 1_000;
const MOST_SEEN_AGAIN = 200;
/** Looking takes at most a fifth of the time, whatever it costs. */
const REST_PER_LOOK = 4;
const MOST_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 500;
/** What finds no room comes back in a queue, at a pace at which it can be looked at without harm to others. */
const BACK_IN_SIGHT_PER_SECOND = 500;
const LEAST_OUT_OF_SIGHT_MS = 1_000;

export interface LookDeps {
  admission: Pick<Admission, 'offer' | 'start'>;
  /** The shards to look at now. */
  shards: () => number[];
  /** Whether there may be some later; else the looking ends. */
  goesOn: () => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/** Looks for due deliveries and offers their lanes, again and again while there are shards to look at. */
export interface Look {
  /** Looks soon; begins if it had ended. */
  now(): void;
}

export function createLook({ admission, shards, goesOn, log }: LookDeps): Look {
  const alarm = createAlarm();
  const hide = createHiding();
  let looking = false;

  async function once(): Promise<void> {
    const lookedAt = shards();
    const due = lookedAt.length > 0 ? await findDue(lookedAt, new Date(), MOST_PER_LOOK) : [];
    const refused = due.filter((row) => !admission.offer(row));
    admission.start();
    // A few may as well be seen again each time; many would cost more than the write that hides them, and hide others themselves.
    if (refused.length > MOST_SEEN_AGAIN) await hide(refused);
  }

  async function forEver(): Promise<void> {
    while (goesOn()) {
      const startedAt = performance.now();
      let rest = 0;
      await once().catch((error: unknown) => {
        log.warn({ err: error }, 'cannot look for due deliveries');
        rest = REST_AFTER_ERROR_MS;
      });
      rest += Math.min((performance.now() - startedAt) * REST_PER_LOOK, MOST_REST_MS);
      await alarm.sleep(rest, Math.max(rest, EVERY_MS));
    }
    looking = false;
  }

  return {
    now() {
      alarm.ring();
      if (looking) return;
      looking = true;
      void forEver();
    },
  };
}

function createHiding(): (rows: DueDelivery[]) => Promise<void> {
  let lastBackAt = 0;
  return async (rows) => {
    const now = Date.now();
    lastBackAt =
      Math.max(lastBackAt, now + LEAST_OUT_OF_SIGHT_MS) + (rows.length * 1_000) / BACK_IN_SIGHT_PER_SECOND;
    await deferDeliveries(
      rows.map(({ _id }) => _id),
      new Date(lastBackAt),
    );
  };
}
