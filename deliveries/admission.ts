import type { DueDelivery } from '../store/delivery/queue.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import type { ConcurrencyLimits, AttemptResult, CircuitState } from './concurrency-limits.ts';
import { lruMap } from '../platform/concurrency/lru-map.ts';
import { organizationContext } from '../store/records/organizations.ts';

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

/** Lanes that wait for a place, a line for each service. */
interface WaitingLanes {
  /** How many lanes of a service wait. */
  length(service: string): number;
  add(lane: ActiveLane): void;
  /**
   * Takes lanes out for which `begin` answers true: one of each tenant in turns, and of the
   * tenant's services in turns.
   */
  admit(begin: (lane: ActiveLane) => boolean): void;
  /** Takes the lanes of a shard out. */
  drop(shard: number): ActiveLane[];
}

/** By service. */
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
      // One that got a place goes to the end, where this loop comes to it again.
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
      // All lanes of a service are of one shard.
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

/** A row of which the tenant is known. */
export type WithTenant<R> = R & { tenant: string };

/**
 * Adds to rows the tenant that their organization belongs to: the organization right below the root
 * that it is, or is below of. A tenant with many organizations stays one tenant. An organization
 * that is gone stands for itself. Rejects where the store does not answer.
 */
export type AssignTenants = <R extends { organization: string }>(
  rows: readonly R[],
) => Promise<WithTenant<R>[]>;

/** Reads the place of each organization once. */
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
/** A lane that runs or waits for its turn. */
export interface ActiveLane {
  id: string;
  service: string;
  /** Whose it is. */
  tenant: string;
  shard: number;
  /** The deliveries that it has read from the store. */
  rows: ReadonlySet<string>;
  /** Where its attempts go. */
  url?: string;
  /** There is more than it has read. */
  again: boolean;
}
