/**
 * Organization ids from the root down, then optionally a purpose. A customer's organizations share
 * an ancestor and count once at its level.
 */
export type TenantPath = readonly string[];

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
 * Returns whether one more fits: at every level a branch may use what its siblings leave free. One
 * tenant alone gets half, and a new tenant still finds room.
 */
export function hasFairShare(line: TenantPath, { of }: SharedUsage, max: number): boolean {
  return line.every((node, level) => {
    const parent = level === 0 ? undefined : line[level - 1];
    return of(node) < max - (parent === undefined ? 0 : of(parent));
  });
}
