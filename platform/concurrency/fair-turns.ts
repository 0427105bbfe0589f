/** Runs pieces of work of many tenants: one of a tenant at a time, and the tenants take turns. */
export interface FairTurns {
  /** Runs the work when the tenant's turn comes. Resolves and rejects as the work does. */
  run: <T>(tenant: string, work: () => Promise<T>) => Promise<T>;
}

/** At most `atOnce` tenants have a piece of work under way. */
export function createFairTurns(atOnce: number): FairTurns {
  // The tenant whose turn is next comes first.
  const waiting = new Map<string, (() => void)[]>();
  const busy = new Set<string>();

  function beginNext(): void {
    for (const [tenant, queue] of waiting) {
      if (busy.size >= atOnce) return;
      if (busy.has(tenant)) continue;
      const begin = queue.shift();
      waiting.delete(tenant);
      if (queue.length > 0) waiting.set(tenant, queue);
      busy.add(tenant);
      begin?.();
    }
  }

  async function run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      const queue = waiting.get(tenant) ?? [];
      queue.push(begin);
      waiting.set(tenant, queue);
      beginNext();
    });
    try {
      return await work();
    } finally {
      busy.delete(tenant);
      beginNext();
    }
  }

  return { run };
}
