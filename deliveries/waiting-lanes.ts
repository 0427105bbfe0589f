import type { ActiveLane } from './active-lane.ts';

/** Lanes that wait for a place, a line for each service. */
export interface WaitingLanes {
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
