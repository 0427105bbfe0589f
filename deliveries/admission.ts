import type { DueDelivery } from '../store/delivery/queue.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import type { ConcurrencyLimits, AttemptResult, CircuitState } from './concurrency-limits.ts';
import { lruMap } from '../platform/concurrency/lru-map.ts';
import { organizationContext } from '../store/records/organizations.ts';

/**
 * Admission queue: runs each lane once at a time and shares the concurrency limits between services
 * and tenants.
 */
export interface Admission {
  /**
   * Queues the lane of a due delivery. `known`: it is queued already. `no_room`: offer it again
   * later.
   */
  offer: (row: WithTenant<DueDelivery>) => 'admitted' | 'known' | 'no_room';
  isBusyWith: (service: string) => boolean;
  /** Returns whether the service's last attempt succeeded. */
  answers: (service: string) => boolean;
  fails: (service: string) => boolean;
  forget: (service: string) => void;
  /** Sets the circuit state that another process stored, unless this process has its own. */
  learn: (service: string, standing: CircuitState) => void;
  /** Starts as many waiting lanes as the concurrency limits allow. */
  start: () => void;
  /** Drops the waiting lanes of a shard. Resolves when no lane of the shard runs. */
  settle(shard: number): Promise<void>;
}

const NO_ROWS: ReadonlySet<string> = new Set();

export interface AdmissionDeps {
  /** Must not reject. */
  run: (lane: ActiveLane) => Promise<AttemptResult>;
  /** Called after each run. `nowAnswers`: the service's circuit state became `answering`. */
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

/** Lanes that wait for a concurrency slot, in one queue per service. */
interface WaitingLanes {
  length(service: string): number;
  add(lane: ActiveLane): void;
  /**
   * Removes the lanes for which `begin` returns true: round robin over tenants, and over each
   * tenant's services.
   */
  admit(begin: (lane: ActiveLane) => boolean): void;
  drop(shard: number): ActiveLane[];
}

type TenantLanes = Map<string, ActiveLane[]>;

export function createWaitingLanes(): WaitingLanes {
  const tenants = new Map<string, TenantLanes>();
  const lengths = new Map<string, number>();

  function count(service: string, change: number): void {
    const length = (lengths.get(service) ?? 0) + change;
    if (length > 0) lengths.set(service, length);
    else lengths.delete(service);
  }

  function admitOne(lines: TenantLanes, begin: (lane: ActiveLane) => boolean): boolean {
    for (const [service, [lane, ...rest]] of lines) {
      if (!lane || !begin(lane)) continue;
      count(service, -1);
      toTheEnd(lines, service, rest.length > 0 && rest);
      return true;
    }
    return false;
  }

  return {
    length: (service) => lengths.get(service) ?? 0,
    add(lane) {
      const lines: TenantLanes = tenants.get(lane.tenant) ?? new Map<string, ActiveLane[]>();
      lines.set(lane.service, [...(lines.get(lane.service) ?? []), lane]);
      tenants.set(lane.tenant, lines);
      count(lane.service, 1);
    },
    admit(begin) {
      // An admitted tenant is re-inserted at the end of the map, so this loop visits it again.
      for (const [tenant, lines] of tenants) {
        if (admitOne(lines, begin)) toTheEnd(tenants, tenant, lines.size > 0 && lines);
      }
    },
    drop(shard) {
      const dropped = dropFrom(tenants, shard);
      for (const { service } of dropped) count(service, -1);
      return dropped;
    },
  };
}

function dropFrom(tenants: Map<string, TenantLanes>, shard: number): ActiveLane[] {
  const dropped: ActiveLane[] = [];
  for (const [tenant, lines] of tenants) {
    for (const [service, line] of lines) {
      if (line[0]?.shard !== shard) continue;
      lines.delete(service);
      dropped.push(...line);
    }
    if (lines.size === 0) tenants.delete(tenant);
  }
  return dropped;
}

function toTheEnd<T>(map: Map<string, T>, key: string, value: T | false): void {
  map.delete(key);
  if (value !== false) map.set(key, value);
}

const MAX_REMEMBERED = 10_000;

export type WithTenant<R> = R & { tenant: string };

/**
 * Adds to each row its tenant: the organization directly below the root that contains the row's
 * organization. A deleted organization is its own tenant. Rejects if the store fails.
 */
export type AssignTenants = <R extends { organization: string }>(
  rows: readonly R[],
) => Promise<WithTenant<R>[]>;

/** Caches the tenants of the organizations used last. */
export function createTenants(findContext: FindContext = organizationContext): AssignTenants {
  const known = lruMap<string, string>(MAX_REMEMBERED);

  async function findTenant(organization: string): Promise<string> {
    const remembered = known.get(organization);
    if (remembered !== undefined) return remembered;
    const [root, tenant = root] = (await findContext(organization))?.path ?? [];
    if (tenant === undefined) return organization;
    known.set(organization, tenant);
    return tenant;
  }

  return async (rows) => {
    const organizations = [...new Set(rows.map(({ organization }) => organization))];
    const tenants = new Map<string, string>();
    await Promise.all(
      organizations.map(async (organization) => tenants.set(organization, await findTenant(organization))),
    );
    return rows.map((row) => ({ ...row, tenant: tenants.get(row.organization) ?? row.organization }));
  };
}

type FindContext = (organization: string) => Promise<{ path: readonly string[] } | null>;
export interface ActiveLane {
  id: string;
  service: string;
  tenant: string;
  shard: number;
  /** Ids of the deliveries that the run has read from the store. */
  rows: ReadonlySet<string>;
  url?: string;
  /** Run the lane again: the store has more rows than the run has read. */
  again: boolean;
}
