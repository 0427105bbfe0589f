import { setTimeout as wait } from 'node:timers/promises';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { findWaitingDeliveries, releaseDeliveries } from '../store/delivery/queue.ts';
import type { WaitingDelivery } from '../store/delivery/queue.ts';
import { findServicesToRelease, clearReleaseMark } from '../store/delivery/services.ts';
import type { ReleaseMark } from '../store/delivery/services.ts';
import type { Admission, AssignTenants, WithTenant } from './admission.ts';
import type { Visibility } from './poller.ts';

const ASK_EVERY_MS = 250;
const PAGE = 200;
const NO_ROOM_MS = { first: 25, max: 500 };

export interface ReleaseDeps {
  admission: Pick<Admission, 'offer' | 'start' | 'fails'>;
  visibility: Pick<Visibility, 'until'>;
  withTenants: AssignTenants;
  computeShard: (service: string) => number;
  mayGoOn: (shard: number) => boolean;
  goesOn: () => boolean;
  /** Resets the cached state of a service and aborts attempts to its former url. */
  restartService: (service: string) => Promise<void>;
  log: { warn: (facts: object, message: string) => void };
}

/** Releases the held deliveries of services that became active, oldest first. */
export interface Releases {
  begin(): void;
}

/** The store holds the release marks, so a crash loses none. */
export function createHeldDeliveryReleaser(deps: ReleaseDeps): Releases {
  const underWay = new Set<string>();

  async function releaseMarked(): Promise<void> {
    for (const called of await findServicesToRelease()) {
      if (underWay.has(called.service) || !deps.mayGoOn(deps.computeShard(called.service))) continue;
      underWay.add(called.service);
      void release(deps, called)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'failed to release held deliveries'))
        .finally(() => underWay.delete(called.service));
    }
  }

  const task = repeatingTask(releaseMarked, {
    everyMs: ASK_EVERY_MS,
    isWanted: deps.goesOn,
    onError: (error) => deps.log.warn({ err: error }, 'failed to poll for reactivated services'),
  });
  return { begin: task.start };
}

/**
 * Makes all waiting deliveries of a service visible and offers them as fast as there is room. If
 * the service fails, its other deliveries are left to the poller.
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
