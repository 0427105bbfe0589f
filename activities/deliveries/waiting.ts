import type { ActiveLane } from './admission.ts';

/** Lanes that wait for a place, a line for each service. */
export interface WaitingLanes {
  /** How many lanes of a service wait. */
  length(service: string): number;
  add(lane: ActiveLane): void;
  /** Takes lanes out for which `begin` answers true, one of each service in turns. */
  admit(begin: (lane: ActiveLane) => boolean): void;
  /** Takes the lanes of a shard out. */
  drop(shard: number): ActiveLane[];
}

export function createWaitingLanes(): WaitingLanes {
  const lines = new Map<string, ActiveLane[]>();

  function put(service: string, line: ActiveLane[]): void {
    if (line.length > 0) lines.set(service, line);
    else lines.delete(service);
  }

  return {
    length: (service) => lines.get(service)?.length ?? 0,
    add(lane) {
      lines.set(lane.service, [...(lines.get(lane.service) ?? []), lane]);
    },
    admit(begin) {
      // A line that gave one away goes to the end of the lines, where this loop comes to it again.
      for (const [service, [lane, ...rest]] of lines) {
        if (!lane || !begin(lane)) continue;
        lines.delete(service);
        put(service, rest);
      }
    },
    drop(shard) {
      const all = [...lines];
      for (const [service, line] of all) {
        put(
          service,
          line.filter((lane) => lane.shard !== shard),
        );
      }
      return all.flatMap(([, line]) => line.filter((lane) => lane.shard === shard));
    },
  };
}
