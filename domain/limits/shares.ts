/**
 * Whose turn something is, in the tree of organizations: ids from the root down, and at the end
 * what it is for, such as an event type. Whoever has many organizations has them all below one of
 * their own, and counts once there.
 */
export type TenantPath = readonly string[];

/** How much is held below each node of the tree. */
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
 * Whether one more may be held: at every level, a branch may have as much as the others together
 * leave free. So one alone gets half of all, several share, and whoever comes last still finds
 * room.
 */
export function hasFairShare(line: TenantPath, { of }: SharedUsage, max: number): boolean {
  return line.every((node, level) => {
    const parent = level === 0 ? undefined : line[level - 1];
    return of(node) < max - (parent === undefined ? 0 : of(parent));
  });
}
