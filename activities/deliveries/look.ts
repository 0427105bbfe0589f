import { deferDeliveries, findDue } from '../../store/delivery-queue.ts';
import type { DueDelivery } from '../../store/delivery-queue.ts';
import type { Pace } from '../../domain/delivery.ts';
import type { Admission } from './admission.ts';
import { createAlarm } from './alarm.ts';
import { storeDate, storeNow } from '../../store/clock.ts';

/** How often the store is asked for due deliveries, how many at a time, and how long it is left in peace for each time it took. */
const LOOKS: Record<Pace, { everyMs: number; limit: number; rest: number }> = {
  prompt: { everyMs: 100, limit: 1_000, rest: 1 },
  patient: { everyMs: 250, limit: 250, rest: 4 },
};
const MOST_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 500;
/** What there is no place for comes back into sight in a queue, at a pace at which it can be looked at without harm to others. */
const BACK_IN_SIGHT_PER_SECOND = 500;
const LEAST_OUT_OF_SIGHT_MS = 1_000;
/** So many may as well be seen each time; more would cost more than the write that takes them out of sight, and hide others. */
const MOST_SEEN_AGAIN = 100;

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

export function createLook(deps: LookDeps): Look {
  const hide = createHiding();
  const prompt = createLookAt('prompt', { ...deps, hide });
  const patient = createLookAt('patient', { ...deps, hide });
  return {
    now() {
      prompt.now();
      patient.now();
    },
  };
}

function createLookAt(pace: Pace, deps: LookDeps & { hide: (rows: DueDelivery[]) => Promise<void> }): Look {
  const { everyMs, rest } = LOOKS[pace];
  const alarm = createAlarm();
  let looking = false;

  async function forEver(): Promise<void> {
    while (deps.goesOn()) {
      const startedAt = performance.now();
      const failed = await lookOnce(pace, deps).then(
        () => false,
        (error: unknown) => {
          deps.log.warn({ err: error }, 'cannot look for due deliveries');
          return true;
        },
      );
      const restMs = failed
        ? REST_AFTER_ERROR_MS
        : Math.min((performance.now() - startedAt) * rest, MOST_REST_MS);
      await alarm.sleep(restMs, Math.max(restMs, everyMs));
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

async function lookOnce(
  pace: Pace,
  { admission, shards, hide }: LookDeps & { hide: (rows: DueDelivery[]) => Promise<void> },
): Promise<void> {
  const lookedAt = shards();
  if (lookedAt.length === 0) return;
  const due = await findDue({ pace, shards: lookedAt, limit: LOOKS[pace].limit }, storeDate());
  const inTheWay = due.filter((row) => admission.offer(row) !== 'admitted');
  admission.start();
  if (inTheWay.length > MOST_SEEN_AGAIN) await hide(inTheWay);
}

function createHiding(): (rows: DueDelivery[]) => Promise<void> {
  let lastBackAt = 0;
  return async (rows) => {
    const soonest = Math.max(lastBackAt, storeNow() + LEAST_OUT_OF_SIGHT_MS);
    lastBackAt = soonest + (rows.length * 1_000) / BACK_IN_SIGHT_PER_SECOND;
    await deferDeliveries(
      rows.map(({ _id }) => _id),
      new Date(lastBackAt),
    );
  };
}
