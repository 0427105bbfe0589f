/**
 * Path in the tenant tree for fair shares: organization ids from the root down, then optionally a
 * purpose such as an event type. Organizations of one customer share an ancestor and count once at
 * its level.
 */
export type TenantPath = readonly string[];

/** Counts the usage below each node of the tree. */
export interface SharedUsage {
  of: (node: string) => number;
  add: (line: TenantPath, change: 1 | -1) => void;
}

export function createUsage(): SharedUsage {
  const counts = new Map<string, number>();
  const of = (node: string) => counts.get(node) ?? 0;
  return {
    of,
    add(line, change) {
      for (const node of line) {
        const now = of(node) + change;
        if (now === 0) counts.delete(node);
        else counts.set(node, now);
      }
    },
  };
}

/**
 * Returns whether a tenant may use one more of `max`. At every level a branch may use as much as
 * its siblings leave free: a single tenant gets half, several tenants share, and a new tenant still
 * finds room.
 */
export function hasFairShare(line: TenantPath, { of }: SharedUsage, max: number): boolean {
  return line.every((node, level) => {
    const parent = level === 0 ? undefined : line[level - 1];
    return of(node) < max - (parent === undefined ? 0 : of(parent));
  });
}
