import { setTimeout as wait } from 'node:timers/promises';
import { waitsUntil } from '../domain/delivery/retry-ladder.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findWaitingDeliveries } from '../store/delivery/queue.ts';
import type { WaitingDelivery } from '../store/delivery/queue.ts';
import type { Admission, AssignTenants, ActiveLane } from './admission.ts';

const AT_ONCE = 8;
/** Rows per page. A failing service needs only one row that can be tried. */
const PAGE = { answering: 200, other: 20 };
const MAX_PAGES_OF_OTHERS = 10;
/**
 * Pause between two scans of a service, and between two attempts to queue a lane of a full service.
 */
const REST_MS = 15_000;
const NO_ROOM_MS = 50;

type ServiceShard = Pick<ActiveLane, 'service' | 'shard'>;

export interface BacklogDeps {
  admission: Pick<Admission, 'offer' | 'start' | 'answers' | 'isBusyWith'>;
  withTenants: AssignTenants;
  mayGoOn: (shard: number) => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Scans all deliveries that wait for a service, also deferred ones. Deferral of 100,000 rows lasts
 * long, so a service that responds again is drained from its oldest row as fast as there is room. A
 * failing service with no lane in progress gets one trial lane from time to time.
 */
export interface Backlog {
  /** Scans the service now, or after its pause. */
  drainService(served: ServiceShard): void;
  retryLater(served: ServiceShard): void;
}

export function createBacklog(deps: BacklogDeps): Backlog {
  const rests = createRestingServices((served) => {
    if (deps.mayGoOn(served.shard)) drainService(served);
  });
  const line = new Map<string, ServiceShard>();
  let running = 0;

  function advance(): void {
    for (const [service, served] of line) {
      if (running >= AT_ONCE) return;
      line.delete(service);
      running += 1;
      void offerWaiting(deps, served)
        .catch((error: unknown) => {
          deps.log.warn({ err: error }, 'failed to scan the deliveries of a service');
          return true;
        })
        .then((more) => {
          running -= 1;
          rests.begin(served, more);
          advance();
        });
    }
  }

  function drainService(served: ServiceShard): void {
    if (rests.has(served.service)) {
      rests.begin(served, true);
      return;
    }
    line.set(served.service, served);
    advance();
  }

  return { drainService, retryLater: (served) => rests.begin(served, true) };
}

/** Services that pause between scans. `over` is called after a pause if a scan was requested. */
function createRestingServices(over: (served: ServiceShard) => void) {
  const resting = new Map<string, { wanted: boolean }>();
  return {
    has: (service: string) => resting.has(service),
    begin(served: ServiceShard, wanted: boolean): void {
      const known = resting.get(served.service);
      if (known) {
        known.wanted ||= wanted;
        return;
      }
      const entry = { wanted };
      resting.set(served.service, entry);
      setTimeout(() => {
        resting.delete(served.service);
        if (entry.wanted) over(served);
      }, REST_MS).unref();
    },
  };
}

/** Offers the service's waiting deliveries. Returns whether to scan the service again. */
async function offerWaiting(
  { admission, withTenants, mayGoOn }: BacklogDeps,
  { service, shard }: ServiceShard,
): Promise<boolean> {
  const { offer, start, answers, isBusyWith } = admission;
  const passed = new Set<string>();
  let after: WaitingDelivery | undefined;
  for (let pages = 0; mayGoOn(shard); pages += 1) {
    // The end of the running lane triggers the next scan.
    if (!answers(service) && isBusyWith(service)) return false;
    if (!answers(service) && pages >= MAX_PAGES_OF_OTHERS) return true;
    const limit = answers(service) ? PAGE.answering : PAGE.other;
    const page = await withTenants(await findWaitingDeliveries(service, { after, limit }));
    for (const row of page) {
      if (passed.has(row.lane)) continue;
      passed.add(row.lane);
      if (waitsUntil(row, storeNow())) continue;
      while (answers(service) && mayGoOn(shard) && offer(row) === 'no_room') await wait(NO_ROOM_MS);
      if (!answers(service)) offer(row);
      start();
      if (!answers(service)) return false;
    }
    after = page.at(-1);
    if (page.length < limit) return !answers(service) && passed.size > 0;
  }
  return false;
}
