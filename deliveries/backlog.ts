import { setTimeout as wait } from 'node:timers/promises';
import { waitsUntil } from '../domain/delivery/retry-ladder.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findWaitingDeliveries } from '../store/delivery/queue.ts';
import type { WaitingDelivery } from '../store/delivery/queue.ts';
import type { Admission, AssignTenants, ActiveLane } from './admission.ts';

/** Services that are gone through at once; the others stand in line. */
const AT_ONCE = 8;
/**
 * Rows read at once: of a service that answers all are wanted, of another one only until there is
 * one to try.
 */
const PAGE = { answering: 200, other: 20 };
const MAX_PAGES_OF_OTHERS = 10;
/**
 * How long a service is left alone after it was gone through, and how soon one whose lanes have no
 * room is offered more.
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
 * What waits for a service, in sight or not. Rows that there was no room for are out of sight for a
 * while, for a hundred thousand of them long. A service that turns out to answer does not wait for
 * them: it is gone through from the oldest row on, as fast as there is room. Of one that fails and
 * that nobody is at work on, one lane is tried from time to time, which is how one finds out.
 */
export interface Backlog {
  /** Has a service gone through now, or after a rest if it just was. */
  drainService(served: ServiceShard): void;
  /** Has it looked after when a rest is over. */
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
          deps.log.warn({ err: error }, 'cannot go through what waits for a service');
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

/**
 * Services that are left alone for a while; `over` hears of those that somebody wanted meanwhile.
 */
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

/**
 * Offers what waits for a service, as far as that makes sense at the moment. Answers whether to
 * come back to it.
 */
async function offerWaiting(
  { admission, withTenants, mayGoOn }: BacklogDeps,
  { service, shard }: ServiceShard,
): Promise<boolean> {
  const { offer, start, answers, isBusyWith } = admission;
  const passed = new Set<string>();
  let after: WaitingDelivery | undefined;
  for (let pages = 0; mayGoOn(shard); pages += 1) {
    // Whoever is at work on it says when that has ended.
    if (!answers(service) && isBusyWith(service)) return false;
    if (!answers(service) && pages >= MAX_PAGES_OF_OTHERS) return true;
    const limit = answers(service) ? PAGE.answering : PAGE.other;
    const page = await withTenants(await findWaitingDeliveries(service, { after, limit }));
    for (const row of page) {
      if (passed.has(row.lane)) continue;
      passed.add(row.lane);
      // The first that is met of a lane is its oldest: the others wait with it.
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
