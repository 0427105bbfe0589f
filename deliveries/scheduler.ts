import { isInboundLane } from '../domain/delivery/delivery.ts';
import { FairQueue } from '../domain/limits/fair-share.ts';
import { lruMap } from '../platform/concurrency/lru-map.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';
import { organizationContext } from '../store/records/organizations.ts';
import { ConcurrencyLimits } from './concurrency-limits.ts';
import type { LanePath, ObservedState } from './concurrency-limits.ts';

export interface ActiveLane {
  id: string;
  service: string;
  path: LanePath;
  shard: number;
  /** Ids of the deliveries that the latest run has read. */
  rows: ReadonlySet<string>;
  /** The lane runs again after the current run. */
  again: boolean;
  ended?: Promise<void>;
}

export interface SchedulerDeps {
  /** Must not reject. */
  run: (lane: ActiveLane) => Promise<ObservedState>;
  /** Called after each run. `recovered`: the service's circuit state became `answering`. */
  ended: (lane: ActiveLane, recovered: boolean) => void;
}

/** Admission queue of lanes. A lane never runs twice at once. Tenants and services take turns. */
export class Scheduler {
  readonly limits = new ConcurrencyLimits();
  readonly #deps: SchedulerDeps;
  readonly #lanes = new Map<string, ActiveLane>();
  readonly #waiting = new FairQueue<ActiveLane>();
  readonly #settling = new Set<number>();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** Queues the lane of a delivery. `no_room`: offer the delivery again later. */
  offer(row: WithTenant<DueDelivery>): 'admitted' | 'known' | 'no_room' {
    const { lane: id, service, tenant, shard } = row;
    const group = findLimitGroup(row);
    const known = this.#lanes.get(id);
    if (known) {
      known.again ||= !known.rows.has(row._id);
      return 'known';
    }
    if (this.#waiting.waiting.of(group) >= this.limits.maxWaiting(group)) return 'no_room';
    const path: LanePath = [tenant, group];
    const lane = { id, service, path, shard, rows: new Set<string>(), again: false };
    this.#lanes.set(id, lane);
    this.#waiting.add(lane);
    return 'admitted';
  }

  start(): void {
    const mayStart = ({ path }: ActiveLane) => this.limits.hasRoomFor(path);
    for (let lane = this.#waiting.next(mayStart); lane; lane = this.#waiting.next(mayStart)) {
      lane.again = false;
      lane.ended = this.#run(lane, this.limits.take(lane.path));
    }
  }

  isAnswering(service: string): boolean {
    return this.limits.state(service) === 'answering';
  }

  isBusyWith(service: string): boolean {
    return this.limits.has(service) || this.#waiting.waiting.of(service) > 0;
  }

  /** Drops the waiting lanes of a shard. Resolves when its running lanes have ended. */
  async settle(shard: number): Promise<void> {
    this.#settling.add(shard);
    const lanes = [...this.#lanes.values()].filter((lane) => lane.shard === shard);
    const running = lanes.filter((lane) => !this.#waiting.remove(lane) || !this.#lanes.delete(lane.id));
    await Promise.all(running.flatMap(({ ended }) => ended ?? []));
    this.#settling.delete(shard);
  }

  async #run(lane: ActiveLane, free: (observed: ObservedState) => boolean): Promise<void> {
    const observed = await this.#deps.run(lane);
    this.#deps.ended(lane, free(observed));
    if (lane.again && !this.#settling.has(lane.shard)) this.#waiting.add(lane);
    else this.#lanes.delete(lane.id);
    this.start();
  }
}

/** An adapter that hangs does not delay the posts of its channel. */
function findLimitGroup({ service, lane }: DueDelivery): string {
  return isInboundLane(lane, service) ? `${service}:in` : service;
}

const MAX_CACHED_TENANTS = 10_000;

export type WithTenant<R> = R & { tenant: string };

type FindContext = (organization: string) => Promise<{ path: readonly string[] } | null>;

/** A tenant is an organization directly below the root. */
export class Tenants {
  readonly #known = lruMap<string, string>(MAX_CACHED_TENANTS);
  readonly #findContext: FindContext;

  constructor(findContext: FindContext = organizationContext) {
    this.#findContext = findContext;
  }

  async assign<R extends { organization: string }>(rows: readonly R[]): Promise<WithTenant<R>[]> {
    const organizations = [...new Set(rows.map(({ organization }) => organization))];
    const tenants = new Map(
      await Promise.all(organizations.map(async (id) => [id, await this.#find(id)] as const)),
    );
    return rows.map((row) => ({ ...row, tenant: tenants.get(row.organization) ?? row.organization }));
  }

  /** Returns the organization itself if it is the root or deleted. */
  async #find(organization: string): Promise<string> {
    const known = this.#known.get(organization);
    if (known !== undefined) return known;
    const [root, tenant = root] = (await this.#findContext(organization))?.path ?? [];
    if (tenant === undefined) return organization;
    this.#known.set(organization, tenant);
    return tenant;
  }
}
