/** Runs the work of many tenants: one piece per tenant at a time, tenants in round robin. */
export interface FairTurns {
  run: <T>(tenant: string, work: () => Promise<T>) => Promise<T>;
}

/** `atOnce`: number of tenants whose work may run at the same time. */
export function createFairTurns(atOnce: number): FairTurns {
  // In order of turns: the next tenant comes first.
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
