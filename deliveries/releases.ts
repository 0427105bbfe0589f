import { setTimeout as wait } from 'node:timers/promises';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { findWaitingDeliveries, releaseDeliveries } from '../store/delivery/queue.ts';
import type { WaitingDelivery } from '../store/delivery/queue.ts';
import { findServicesToRelease, clearReleaseMark } from '../store/delivery/services.ts';
import type { ReleaseMark } from '../store/delivery/services.ts';
import type { Admission, AssignTenants, WithTenant } from './admission.ts';
import type { Visibility } from './poller.ts';

/** How often the store is asked which services have become active. */
const ASK_EVERY_MS = 250;
const PAGE = 200;
/** How soon a service whose lanes have no room is offered more; longer and longer. */
const NO_ROOM_MS = { first: 25, max: 500 };

export interface ReleaseDeps {
  admission: Pick<Admission, 'offer' | 'start' | 'fails'>;
  visibility: Pick<Visibility, 'until'>;
  withTenants: AssignTenants;
  /** The shard of a service's deliveries. */
  computeShard: (service: string) => number;
  mayGoOn: (shard: number) => boolean;
  /** Whether there may be something to release some time; else the looking ends. */
  goesOn: () => boolean;
  /**
   * Forgets what is known of a service, and cuts attempts off that go to a url that it had before.
   */
  restartService: (service: string) => Promise<void>;
  log: { warn: (facts: object, message: string) => void };
}

/** Sends what was held back for services as soon as they are active, from the oldest on. */
export interface Releases {
  /** Asks from now on. */
  begin(): void;
}

/**
 * The store says which services these are, so nothing is forgotten with whoever made them active or
 * was about to send.
 */
export function createHeldDeliveryReleaser(deps: ReleaseDeps): Releases {
  const underWay = new Set<string>();

  async function releaseMarked(): Promise<void> {
    for (const called of await findServicesToRelease()) {
      if (underWay.has(called.service) || !deps.mayGoOn(deps.computeShard(called.service))) continue;
      underWay.add(called.service);
      void release(deps, called)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'cannot send what was held back'))
        .finally(() => underWay.delete(called.service));
    }
  }

  const task = repeatingTask(releaseMarked, {
    everyMs: ASK_EVERY_MS,
    isWanted: deps.goesOn,
    onError: (error) => deps.log.warn({ err: error }, 'cannot ask for services that are active again'),
  });
  return { begin: task.start };
}

/**
 * Brings all that waits for a service into sight, and offers it as fast as there is room. One that
 * fails gets no more than that: it is tried like any other that fails.
 */
async function release(deps: ReleaseDeps, called: ReleaseMark): Promise<void> {
  const { service } = called;
  const shard = deps.computeShard(service);
  const passed = new Set<string>();
  await deps.restartService(service);
  let after: WaitingDelivery | undefined;
  while (deps.mayGoOn(shard)) {
    const page = await deps.withTenants(await findWaitingDeliveries(service, { after, limit: PAGE }));
    if (page.length > 0) {
      await releaseDeliveries(
        page.map(({ _id }) => _id),
        deps.visibility.until(page.length),
      );
    }
    for (const row of page) {
      if (passed.has(row.lane)) continue;
      passed.add(row.lane);
      await offer(deps, row);
    }
    after = page.at(-1);
    if (page.length < PAGE) return clearReleaseMark(called);
  }
}

async function offer({ admission, mayGoOn }: ReleaseDeps, row: WithTenant<WaitingDelivery>): Promise<void> {
  let waitMs = NO_ROOM_MS.first;
  while (mayGoOn(row.shard) && !admission.fails(row.service)) {
    const offered = admission.offer(row);
    admission.start();
    if (offered !== 'no_room') return;
    await wait(waitMs);
    waitMs = Math.min(waitMs * 2, NO_ROOM_MS.max);
  }
}
