import { waitsUntil } from '../domain/delivery/retry-ladder.ts';
import { isGivenUp } from '../domain/delivery/service-health.ts';
import type { WarningLog } from '../platform/concurrency/recovery-task.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { deferLane, findLane, holdLane, wakeDelivery } from '../store/delivery/queue.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import { findReceiver } from '../store/delivery/service-health.ts';
import { isSendableTo, markForRelease, noteHeldBack } from '../store/delivery/services.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { carryMessage } from './carry.ts';
import type { CarryDeps } from './carry.ts';
import { receivePost } from './inbound.ts';
import type { InboundDeps } from './inbound.ts';
import { attemptDelivery, createAttemptWriter, recordAttempted } from './attempt.ts';
import type { AttemptDeps, Attempted, Sending } from './attempt.ts';
import type { ObservedState } from './concurrency-limits.ts';
import type { LaneCache, LaneTurn } from './lane-cache.ts';
import type { AttemptMetrics, RecentFailures } from './metrics.ts';
import type { ActiveLane } from './scheduler.ts';
import type { ServiceHealth } from './service-health.ts';

const BATCH = 16;
const SOON_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface LaneRunnerDeps extends Omit<InboundDeps, 'webhooks'>, AttemptDeps, CarryDeps {
  health: ServiceHealth;
  failures: RecentFailures;
  metrics: AttemptMetrics;
  cache: LaneCache;
  maySend: (shard: number) => boolean;
  /** Returns undefined if this process does not drain the shard. */
  findCutSignal: (shard: number) => AbortSignal | undefined;
  log: WarningLog;
}

type Loaded = readonly [QueuedDelivery, ...QueuedDelivery[]];

/** `url`: target of the latest attempt. */
interface LaneRun {
  lane: ActiveLane;
  turn: LaneTurn;
  abort: AbortController;
  url?: string;
}

/**
 * Sends the first deliveries of a lane in order, until the batch is sent, a delivery must be
 * retried, or sending must stop. Invariant: the lane's first delivery is due first. So the next
 * delivery is made due before the current delivery is stored as done, and deliveries behind a
 * waiting delivery are deferred.
 */
export class LaneRunner {
  readonly #deps: LaneRunnerDeps;
  readonly #writeAttempt = createAttemptWriter();
  readonly #running = new Set<LaneRun>();

  constructor(deps: LaneRunnerDeps) {
    this.#deps = deps;
  }

  /** Never rejects: after an error, a later poll finds the deliveries. */
  async run(lane: ActiveLane): Promise<ObservedState> {
    const { findCutSignal, maySend, cache, log } = this.#deps;
    const cut = findCutSignal(lane.shard);
    if (!cut || !maySend(lane.shard)) return null;
    // AbortSignal.any would leak: a long-lived signal keeps every derived signal.
    const abort = new AbortController();
    const cutOff = () => abort.abort(cut.reason);
    if (cut.aborted) cutOff();
    cut.addEventListener('abort', cutOff);
    const run = { lane, abort, turn: cache.begin(lane.id, BATCH) };
    this.#running.add(run);
    try {
      return await this.#runLane(run);
    } catch (error) {
      if (!abort.signal.aborted) log.warn({ err: error, lane: lane.id }, 'a delivery lane was interrupted');
      return null;
    } finally {
      this.#running.delete(run);
      cut.removeEventListener('abort', cutOff);
    }
  }

  /** Aborts attempts to any other url of the service. Their lanes run again. */
  cutOtherUrls(service: string, url: string): void {
    for (const run of this.#running) {
      if (run.lane.service !== service || run.url === undefined || run.url === url) continue;
      run.lane.again = true;
      run.abort.abort(new Error('The service has another url.'));
    }
  }

  async #runLane(run: LaneRun): Promise<ObservedState> {
    const { lane, turn } = run;
    const rows = turn.rows ?? (await findLane(lane.id, BATCH + 1));
    lane.rows = new Set(rows.map(({ _id }) => _id));
    const [head, ...followers] = rows;
    if (!head) {
      turn.allDone(0);
      return null;
    }
    const until = waitsUntil(head, storeNow());
    if (until) {
      await hideBehind(head, until);
      return null;
    }
    if (!(await this.#findService(head))) {
      await holdBack(lane);
      return null;
    }
    const beyond = followers[BATCH - 1];
    if (beyond && isDueAt(beyond, storeNow())) {
      beyond.dueAt = new Date(storeNow() + MINUTE_MS);
      await deferLane([head, ...followers.slice(0, BATCH - 1)], { now: storeDate(), until: beyond.dueAt });
    }
    return this.#sendInOrder(run, [head, ...followers]);
  }

  async #sendInOrder(run: LaneRun, loaded: Loaded): Promise<ObservedState> {
    const { lane, turn, abort } = run;
    const { health, maySend } = this.#deps;
    let observed: ObservedState = null;
    for (const [at, delivery] of loaded.slice(0, BATCH).entries()) {
      if (!maySend(lane.shard) || waitsUntil(delivery, storeNow())) return observed;
      const service = await this.#findService(delivery);
      if (!service) {
        await holdBack(lane);
        return observed;
      }
      const isPost = delivery.direction === 'in';
      if (service.params.url !== undefined) run.url = service.params.url;
      const attempted = await this.#attempt({ delivery, service, path: lane.path }, abort.signal);
      observed = observedState(attempted, isPost);
      if (!isPost) this.#count(lane, delivery, attempted);
      const next = loaded[at + 1];
      // A follower that is due soon needs no write: polls find it.
      if (!attempted.next && next && !isDueAt(next, storeNow() + SOON_MS)) {
        await wakeDelivery(next._id, storeDate());
      }
      const recorded = await recordAttempted(this.#writeAttempt, { delivery, attempted });
      if (!recorded) {
        lane.again = true;
        return observed;
      }
      const isUsable = isPost || (await health.applyOutcome({ service, delivery, attempted, ...recorded }));
      if (attempted.next && isAnyVisible(loaded.slice(at + 1), attempted.next)) {
        await hideBehind(delivery, attempted.next);
      }
      if (!isUsable || attempted.next) return observed;
    }
    if (loaded.length > BATCH) lane.again = true;
    else turn.allDone(loaded.at(-1)?.sequence ?? 0);
    return observed;
  }

  #findService({ service, direction }: QueuedDelivery): Promise<ServiceDocument | null> {
    const { health } = this.#deps;
    return direction === 'in' ? health.findReceiving(service) : health.findUsable(service);
  }

  #attempt(sending: Sending, signal: AbortSignal): Promise<Attempted> {
    if (sending.delivery.direction === 'in') return receivePost(this.#deps, sending, signal);
    if (sending.service.touchpoint !== undefined) return carryMessage(this.#deps, sending, signal);
    return attemptDelivery(this.#deps, sending, signal);
  }

  #count({ service, shard }: ActiveLane, { tries }: QueuedDelivery, { attempt, next }: Attempted): void {
    const { failures, metrics } = this.#deps;
    const { outcome, status, reason, at } = attempt;
    metrics.count(outcome);
    if (outcome === 'delivered') {
      failures.answered(service);
      return;
    }
    if (outcome === 'refused' || outcome === 'throttled') return;
    failures.failed(shard, {
      service,
      attempt: tries + 1,
      outcome,
      at,
      status,
      // With a status, the reason may contain an address, which is not for operators.
      reason: status === undefined ? reason : undefined,
      nextAt: next?.toISOString(),
    });
  }
}

/** A refusal or a wait that the provider named shows that the provider responds. */
function observedState({ attempt: { outcome } }: Attempted, isPost: boolean): ObservedState {
  const responds = outcome === 'delivered' || outcome === 'refused' || outcome === 'throttled';
  if (responds) return 'answering';
  return isPost ? null : 'failing';
}

function isDueAt({ dueAt }: QueuedDelivery, time: number): boolean {
  return dueAt !== undefined && dueAt.getTime() <= time;
}

/** Defers the due deliveries behind `head`. The hour matters only if no `wakeDelivery` follows. */
async function hideBehind(head: QueuedDelivery, dueAt: Date): Promise<void> {
  await deferLane([head], { now: storeDate(), until: new Date(dueAt.getTime() + HOUR_MS) });
}

// Ignores rows queued since the lane was read: a poll defers them.
function isAnyVisible(followers: readonly QueuedDelivery[], until: Date): boolean {
  return followers.length >= BATCH || followers.some(({ dueAt }) => dueAt && dueAt <= until);
}

/**
 * Holds all pending deliveries of a lane whose service is inactive or has no address. If the
 * service can be sent to by now, the lane runs again. Marks the service for release first, because
 * the worker may crash, and again if the service has become active.
 */
async function holdBack(lane: ActiveLane): Promise<void> {
  const service = await findReceiver(lane.service);
  if (isSendableTo(service)) {
    lane.again = true;
    return;
  }
  if (!service || isGivenUp(service)) return;
  if (service.heldBack === undefined) await noteHeldBack(lane.service);
  await holdLane(lane.id, storeDate());
  await markForRelease([lane.service]);
}
