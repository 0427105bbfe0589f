import { setTimeout as wait } from 'node:timers/promises';
import { waitsUntil } from '../domain/delivery/retry-ladder.ts';
import type { WarningLog } from '../platform/concurrency/recovery-task.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findWaitingDeliveries, releaseDeliveries } from '../store/delivery/queue.ts';
import type { WaitingDelivery } from '../store/delivery/queue.ts';
import { clearReleaseMark } from '../store/delivery/services.ts';
import type { ReleaseMark } from '../store/delivery/services.ts';
import type { ActiveLane, Scheduler, Tenants, WithTenant } from './scheduler.ts';

const MAX_SCANS = 8;
/** Rows per page. A failing service needs only one row that can be tried. */
const PAGE = { answering: 200, other: 20, released: 200 };
const MAX_PAGES_OF_OTHERS = 10;
/** Pause between two scans of a service. */
const REST_MS = 15_000;
/** Pauses while the scheduler has no room for a lane of the service. */
const NO_ROOM_MS = { scanned: 50, released: 25, max: 500 };

type ServiceShard = Pick<ActiveLane, 'service' | 'shard'>;

export interface BacklogDeps {
  scheduler: Scheduler;
  visibility: Visibility;
  tenants: Tenants;
  maySend: (shard: number) => boolean;
  log: WarningLog;
}

/**
 * Scans the waiting deliveries of a service, even if they are not due. If the service responds
 * again, offers its lanes, oldest first, as fast as there is room. A failing service with no lane
 * in progress gets one trial lane after each pause.
 */
export class Backlog {
  readonly #deps: BacklogDeps;
  readonly #queue = new Map<string, ServiceShard>();
  #scans = 0;
  /** Services that are not scanned until their pause ends. */
  readonly #resting = new Map<string, { isWanted: boolean }>();

  constructor(deps: BacklogDeps) {
    this.#deps = deps;
  }

  drainService(served: ServiceShard): void {
    if (this.#resting.has(served.service)) {
      this.retryLater(served);
      return;
    }
    this.#queue.set(served.service, served);
    this.#startScans();
  }

  /**
   * Makes a service's waiting deliveries due, page by page, and offers their lanes to the
   * scheduler. If the service fails, the poller finds the remaining deliveries.
   */
  async release(mark: ReleaseMark, shard: number): Promise<void> {
    const { visibility, maySend } = this.#deps;
    const passed = new Set<string>();
    let after: WaitingDelivery | undefined;
    while (maySend(shard)) {
      const page = await this.#findPage(mark.service, after, PAGE.released);
      if (page.length > 0) {
        await releaseDeliveries(
          page.map(({ _id }) => _id),
          visibility.until(page.length),
        );
      }
      for (const row of page) {
        if (!passed.has(row.lane)) await this.#offerReleased(row);
        passed.add(row.lane);
      }
      after = page.at(-1);
      if (page.length < PAGE.released) return clearReleaseMark(mark);
    }
  }

  async #offerReleased(row: WithTenant<WaitingDelivery>): Promise<void> {
    const { scheduler, maySend } = this.#deps;
    let waitMs = NO_ROOM_MS.released;
    while (maySend(row.shard) && scheduler.limits.state(row.service) !== 'failing') {
      const offered = scheduler.offer(row);
      scheduler.start();
      if (offered !== 'no_room') return;
      await wait(waitMs);
      waitMs = Math.min(waitMs * 2, NO_ROOM_MS.max);
    }
  }

  #startScans(): void {
    for (const [service, served] of this.#queue) {
      if (this.#scans >= MAX_SCANS) return;
      this.#queue.delete(service);
      this.#scans += 1;
      void this.#scan(served)
        .catch((error: unknown) => {
          this.#deps.log.warn({ err: error }, 'failed to scan the deliveries of a service');
          return true;
        })
        .then((isWanted) => {
          this.#scans -= 1;
          this.retryLater(served, isWanted);
          this.#startScans();
        });
    }
  }

  /** Pauses the scans of a service. `isWanted`: the pause ends with a scan. */
  retryLater(served: ServiceShard, isWanted = true): void {
    const known = this.#resting.get(served.service);
    if (known) {
      known.isWanted ||= isWanted;
      return;
    }
    const rest = { isWanted };
    this.#resting.set(served.service, rest);
    setTimeout(() => {
      this.#resting.delete(served.service);
      if (rest.isWanted && this.#deps.maySend(served.shard)) this.drainService(served);
    }, REST_MS).unref();
  }

  /** Returns whether to scan the service again. */
  async #scan({ service, shard }: ServiceShard): Promise<boolean> {
    const { scheduler, maySend } = this.#deps;
    const isAnswering = () => scheduler.isAnswering(service);
    const passed = new Set<string>();
    let after: WaitingDelivery | undefined;
    for (let pages = 0; maySend(shard); pages += 1) {
      // The end of the running lane triggers the next scan.
      if (!isAnswering() && scheduler.isBusyWith(service)) return false;
      if (!isAnswering() && pages >= MAX_PAGES_OF_OTHERS) return true;
      const limit = isAnswering() ? PAGE.answering : PAGE.other;
      const page = await this.#findPage(service, after, limit);
      for (const row of page) {
        if (passed.has(row.lane)) continue;
        passed.add(row.lane);
        if (waitsUntil(row, storeNow())) continue;
        while (isAnswering() && maySend(shard) && scheduler.offer(row) === 'no_room') {
          await wait(NO_ROOM_MS.scanned);
        }
        if (!isAnswering()) scheduler.offer(row);
        scheduler.start();
        if (!isAnswering()) return false;
      }
      after = page.at(-1);
      if (page.length < limit) return !isAnswering() && passed.size > 0;
    }
    return false;
  }

  async #findPage(
    service: string,
    after: WaitingDelivery | undefined,
    limit: number,
  ): Promise<WithTenant<WaitingDelivery>[]> {
    return this.#deps.tenants.assign(await findWaitingDeliveries(service, { after, limit }));
  }
}

const VISIBLE_PER_SECOND = 250;
const MIN_HIDDEN_MS = 1_000;

/** Limits the rate at which deferred rows become due (visibility timeouts). */
export class Visibility {
  #lastBackAt = 0;

  /** Returns the time until which to hide `count` rows. Each call returns a later time. */
  until(count: number): Date {
    const soonest = Math.max(this.#lastBackAt, storeNow() + MIN_HIDDEN_MS);
    this.#lastBackAt = soonest + (count * 1_000) / VISIBLE_PER_SECOND;
    return new Date(this.#lastBackAt);
  }
}
