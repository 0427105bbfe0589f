import type { Client } from '@temporalio/client';
import { memoryMbOf } from '../cpu-time.ts';
import { folderBytes } from '../folder-bytes.ts';
import type { Product } from '../product.ts';
import type { Traffic } from './traffic.ts';

/** One sample of all figures. */
export interface Sample {
  /** Seconds since the sampler was created. */
  at: number;
  messages: number;
  arrived: number;
  /** Memory by process without mapped files; null where the system does not report memory. */
  memoryMb: Record<string, number | null>;
  /** The API's heap from its metrics. */
  apiHeapMb: number | null;
  storeBytes: number;
  temporalBytes: number;
  /** History events in the current run of the watched conversation. */
  historyEvents: number;
}

export interface Sampler {
  samples: Sample[];
  take: () => Promise<void>;
}

export function createSampler({
  product,
  temporal,
  traffic,
}: {
  product: Product;
  temporal: Client;
  traffic: Traffic;
}): Sampler {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  return {
    samples,
    async take() {
      const messages = traffic.counts.messages;
      const [pids, storeBytes, temporalBytes, described, apiHeapMb] = await Promise.all([
        product.pids(),
        folderBytes(product.data.store),
        folderBytes(product.data.temporal),
        temporal.workflow.getHandle(`conversation:${traffic.watched}`).describe(),
        heapOf(product.origin),
      ]);
      const memory = await Promise.all(
        Object.entries(pids).map(async ([name, pid]) => [name, await memoryMbOf(pid)] as const),
      );
      samples.push({
        ...{ at: (performance.now() - startedAt) / 1000, messages, arrived: traffic.counts.arrived() },
        ...{ memoryMb: Object.fromEntries(memory), apiHeapMb, storeBytes, temporalBytes },
        historyEvents: described.historyLength,
      });
    },
  };
}

async function heapOf(origin: string): Promise<number | null> {
  const text = await fetch(`${origin}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  const found = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(text);
  return found ? Number(found[1]) / 1e6 : null;
}
