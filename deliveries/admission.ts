import type { ActiveLane } from './active-lane.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import type { ConcurrencyLimits, AttemptResult, CircuitState } from './concurrency-limits.ts';
import type { WithTenant } from './tenants.ts';
import { createWaitingLanes } from './waiting-lanes.ts';

/**
 * Decides which lanes run now, so that each lane runs once at a time and neither a service nor a
 * tenant takes the room of others.
 */
export interface Admission {
  /**
   * Takes the lane of a due delivery in, unless it is `known` already or there is `no_room` in
   * memory: ask again later.
   */
  offer: (row: WithTenant<DueDelivery>) => 'admitted' | 'known' | 'no_room';
  /** Whether a lane of the service runs or waits. */
  isBusyWith: (service: string) => boolean;
  /** Whether a service answered when last tried. */
  answers: (service: string) => boolean;
  /** Whether it failed then. */
  fails: (service: string) => boolean;
  /** Makes a service one that nobody knows yet. */
  forget: (service: string) => void;
  /** Tells how a service stood when others sent to it. */
  learn: (service: string, standing: CircuitState) => void;
  /** Starts what there is a place for. */
  start: () => void;
  /** Forgets waiting lanes of a shard; resolves when none of it runs. */
  settle(shard: number): Promise<void>;
}

const NO_ROWS: ReadonlySet<string> = new Set();

export interface AdmissionDeps {
  /** Must not reject. */
  run: (lane: ActiveLane) => Promise<AttemptResult>;
  /**
   * Hears of lanes that have run, and whether their service answers that did not or was not known
   * before.
   */
  ended: (lane: ActiveLane, nowAnswers: boolean) => void;
}

export function createAdmission({ run, ended }: AdmissionDeps): Admission {
  const lanes = new Map<string, ActiveLane>();
  const places = createConcurrencyLimits();
  const waiting = createWaitingLanes();
  const settling = createSettling(lanes);

  function begin(lane: ActiveLane): boolean {
    const giveBack = places.take(lane);
    if (!giveBack) return false;
    lane.again = false;
    void run(lane).then((shown) => {
      ended(lane, giveBack(shown));
      if (lane.again && !settling.has(lane.shard)) waiting.add(lane);
      else lanes.delete(lane.id);
      settling.check(lane.shard);
      waiting.admit(begin);
    });
    return true;
  }

  return {
    offer({ _id, lane: id, service, tenant, shard }) {
      const known = lanes.get(id);
      if (known) {
        known.again ||= !known.rows.has(_id);
        return 'known';
      }
      if (waiting.length(service) >= places.maxWaiting(service)) return 'no_room';
      const lane = { id, service, tenant, shard, rows: NO_ROWS, again: false };
      lanes.set(id, lane);
      waiting.add(lane);
      return 'admitted';
    },
    ...circuitMethods(places),
    isBusyWith: (service) => places.has(service) || waiting.length(service) > 0,
    start: () => waiting.admit(begin),
    settle(shard) {
      for (const lane of waiting.drop(shard)) lanes.delete(lane.id);
      return settling.done(shard);
    },
  };
}

function circuitMethods({ standing, forget, learn }: ConcurrencyLimits) {
  return {
    answers: (service: string) => standing(service) === 'answering',
    fails: (service: string) => standing(service) === 'failing',
    forget,
    learn,
  };
}

function createSettling(lanes: ReadonlyMap<string, ActiveLane>) {
  const settling = new Map<number, () => void>();

  function check(shard: number): void {
    const settled = settling.get(shard);
    if (!settled || [...lanes.values()].some((lane) => lane.shard === shard)) return;
    settling.delete(shard);
    settled();
  }

  return {
    has: (shard: number) => settling.has(shard),
    check,
    done: (shard: number) =>
      new Promise<void>((settled) => {
        settling.set(shard, settled);
        check(shard);
      }),
  };
}
