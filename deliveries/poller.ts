import type { Pace } from '../domain/delivery/delivery.ts';
import type { WarningLog } from '../platform/concurrency/recovery-task.ts';
import { createInterruptibleSleep } from '../platform/concurrency/with-timeout.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { deferDeliveries, findDue } from '../store/delivery/queue.ts';
import type { Backlog, Visibility } from './backlog.ts';
import type { Scheduler, Tenants } from './scheduler.ts';

/** `rest`: pause before a poll that is not urgent, in durations of the last poll. */
const POLLS: Record<Pace, { everyMs: number; maxRows: number; rest: number }> = {
  prompt: { everyMs: 100, maxRows: 1_000, rest: 1 },
  patient: { everyMs: 250, maxRows: 250, rest: 4 },
};
const MAX_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 500;
/** More blocked rows than this are deferred: one write is cheaper than polling them again. */
const MAX_SEEN_AGAIN = 100;

export interface PollerDeps {
  scheduler: Scheduler;
  backlog: Backlog;
  visibility: Visibility;
  tenants: Tenants;
  shards: () => number[];
  isDraining: () => boolean;
  log: WarningLog;
}

export class Poller {
  readonly #deps: PollerDeps;
  readonly #alarms = { prompt: createInterruptibleSleep(), patient: createInterruptibleSleep() };
  readonly #polling = new Set<Pace>();

  constructor(deps: PollerDeps) {
    this.#deps = deps;
  }

  pollNow(): void {
    for (const pace of ['prompt', 'patient'] as const) {
      this.#alarms[pace].ring();
      if (this.#polling.has(pace)) continue;
      this.#polling.add(pace);
      void this.#pollRepeatedly(pace);
    }
  }

  async #pollRepeatedly(pace: Pace): Promise<void> {
    const { everyMs, rest } = POLLS[pace];
    while (this.#deps.isDraining()) {
      const startedAt = performance.now();
      const more = await this.#poll(pace).catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'failed to poll due deliveries');
        return null;
      });
      const tookMs = performance.now() - startedAt;
      const restMs = more === null ? REST_AFTER_ERROR_MS : Math.min(tookMs * (more ? 1 : rest), MAX_REST_MS);
      await this.#alarms[pace].sleep(restMs, more ? restMs : Math.max(restMs, everyMs));
    }
    this.#polling.delete(pace);
  }

  /** Returns whether the next poll is urgent: it does not wait for `everyMs`. */
  async #poll(pace: Pace): Promise<boolean> {
    const { scheduler, backlog, visibility, tenants } = this.#deps;
    const { maxRows: limit } = POLLS[pace];
    const shards = this.#deps.shards();
    if (shards.length === 0) return false;
    const due = await tenants.assign(await findDue({ pace, shards, limit }, storeDate()));
    const blocked = due.filter((row) => scheduler.offer(row) !== 'admitted');
    scheduler.start();
    if (blocked.length > MAX_SEEN_AGAIN) {
      await deferDeliveries(
        blocked.map(({ _id }) => _id),
        visibility.until(blocked.length),
      );
      for (const row of blocked) if (scheduler.isAnswering(row.service)) backlog.drainService(row);
    }
    return due.length === limit && blocked.length < limit / 2;
  }
}
