import { until } from '../programs.ts';
import { newConversations, queueEvents } from './bench-drain.ts';
import type { BenchDrain } from './bench-drain.ts';
import type { BenchReceiver } from './receiver.ts';

/**
 * Queues `count` events, each after the arrival of the previous event. Returns for each event the
 * milliseconds from queueing to arrival.
 */
export async function oneByOne(
  count: number,
  service: string,
  { receiver, drain }: { receiver: BenchReceiver; drain: BenchDrain },
): Promise<number[]> {
  const latencies: number[] = [];
  for (let at = 0; at < count; at++) {
    const queuedAt = performance.now();
    const [row] = await queueEvents(service, { conversations: newConversations(1) });
    if (!row) continue;
    drain.notify([row]);
    await until(() => receiver.arrivedAt.has(row.eventId), 5);
    latencies.push((receiver.arrivedAt.get(row.eventId) ?? 0) - queuedAt);
  }
  return latencies;
}
