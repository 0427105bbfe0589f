import { expect } from 'vitest';
import type { ApiOperation } from './odd-requests.ts';
import type { Product } from './product.ts';

const SAMPLES = 20;
const MIB = 1024 * 1024;

/** Counts a fuzzer's requests and samples the API's memory. */
export interface FuzzLog {
  note: (operation: ApiOperation, status: number) => void;
  /**
   * In a run with a set number of requests, samples and prints the memory of the API after each
   * twentieth of the requests.
   */
  sample: () => Promise<void>;
  finish: () => Promise<void>;
  asked: () => number;
  operations: () => string[];
  /**
   * Asserts that the memory in the last third of the run is at most a little larger than in the
   * second third. Larger growth would mean a leak per request.
   */
  expectNoGrowth: () => void;
}

interface MemoryUse {
  rssMib: number;
  heapMib: number;
}

export function startFuzzLog(
  { origin }: Pick<Product, 'origin'>,
  { seed, requests }: { seed: number; requests: number },
): FuzzLog {
  const begun = performance.now();
  const operations = new Set<string>();
  const statuses = new Map<number, number>();
  const samples: MemoryUse[] = [];
  let asked = 0;
  let sampledAt = 0;
  const say = (text: string) => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`fuzz ${String(seconds).padStart(5)} s  ${text}`);
  };
  if (requests > 0) say(`seed ${seed}, ${requests} requests`);

  async function look(): Promise<void> {
    const memory = await readMemory(origin);
    samples.push(memory);
    const { rssMib, heapMib } = memory;
    say(`${asked} requests, the API has ${rssMib.toFixed(0)} MiB, its heap ${heapMib.toFixed(0)} MiB`);
  }

  return {
    note(operation, status) {
      asked += 1;
      operations.add(`${operation.method} ${operation.path}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    async sample() {
      if (requests === 0 || asked - sampledAt < requests / SAMPLES) return;
      sampledAt = asked;
      await look();
    },
    async finish() {
      await look();
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`);
      say(`${asked} requests to ${operations.size} operations: ${counts.join(', ')}`);
    },
    asked: () => asked,
    operations: () => [...operations],
    expectNoGrowth() {
      const [, first = [], second = []] = splitIntoThirds(samples.map(({ heapMib }) => heapMib));
      // The minimum is the memory after a garbage collection.
      const [before, after] = [Math.min(...first), Math.min(...second)];
      say(
        `of the heap, at least ${before.toFixed(0)} MiB were used in the second third, ${after.toFixed(0)} MiB in the last`,
      );
      expect(after).toBeLessThan(before * 1.2 + 16);
      const [, rss = [], lastRss = []] = splitIntoThirds(samples.map(({ rssMib }) => rssMib));
      expect(Math.max(...lastRss)).toBeLessThan(Math.max(...rss) * 1.2 + 32);
    },
  };
}

/** Splits the samples into thirds. The first third is the warm-up. */
function splitIntoThirds(values: readonly number[]): number[][] {
  const third = Math.floor(values.length / 3);
  return [values.slice(0, third), values.slice(third, 2 * third), values.slice(2 * third)];
}

async function readMemory(origin: string): Promise<MemoryUse> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / MIB;
  return { rssMib: gauge('process_resident_memory_bytes'), heapMib: gauge('nodejs_heap_size_used_bytes') };
}
