import type { Client } from '@temporalio/client';
import { makeConversations, messageTo } from './cases/posting.ts';
import { cpuMsOf } from './cpu-time.ts';
import { folderBytes } from './folder-bytes.ts';
import { load } from './load.ts';
import type { Product } from './product.ts';

export interface Cost {
  messages: number;
  /** CPU milliseconds per message, by process; null if the system does not report CPU time. */
  cpuMs: Record<string, number | null>;
  history: { events: number; bytes: number };
  /** Bytes by which the files of each server grow per message. */
  bytes: { store: number; temporal: number };
}

const SAMPLE = 20;

export async function costPerMessage(product: Product, temporal: Client, seconds: number): Promise<Cost> {
  const ids = await makeConversations(product, 200, product.organization);
  const history = await historyOf(product, temporal, ids[0] ?? '');
  const before = { cpu: await cpuOf(product), bytes: await bytesOf(product) };
  const { count } = await load((n) => product.send('POST', '/messages', messageTo(ids[n % ids.length], n)), {
    ...{ inFlight: 32, seconds },
  });
  const after = { cpu: await cpuOf(product), bytes: await bytesOf(product) };
  const cpuMs = Object.entries(after.cpu).map(([name, ms]) => {
    const earlier = before.cpu[name];
    return [name, ms === null || earlier == null ? null : (ms - earlier) / count] as const;
  });
  return {
    messages: count,
    cpuMs: Object.fromEntries(cpuMs),
    history,
    bytes: {
      store: (after.bytes.store - before.bytes.store) / count,
      temporal: (after.bytes.temporal - before.bytes.temporal) / count,
    },
  };
}

async function cpuOf(product: Product): Promise<Record<string, number | null>> {
  return { ...(await product.cpuMsOfEach()), 'the load itself': await cpuMsOf(process.pid) };
}

async function bytesOf({ data }: Product) {
  const [store, temporal] = await Promise.all([folderBytes(data.store), folderBytes(data.temporal)]);
  return { store, temporal };
}

/**
 * Returns the growth of the history per message. Measures within one workflow run, because each run
 * begins a new history.
 */
async function historyOf(product: Product, temporal: Client, conversation: string): Promise<Cost['history']> {
  const handle = temporal.workflow.getHandle(`conversation:${conversation}`);
  for (;;) {
    const before = await handle.describe();
    for (let n = 0; n < SAMPLE; n += 1) await product.send('POST', '/messages', messageTo(conversation, n));
    const after = await handle.describe();
    if (after.runId !== before.runId) continue;
    return {
      events: (after.historyLength - before.historyLength) / SAMPLE,
      bytes: ((after.historySize ?? 0) - (before.historySize ?? 0)) / SAMPLE,
    };
  }
}
