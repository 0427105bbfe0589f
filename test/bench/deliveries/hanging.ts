import { deliveryModel } from '../../../store/delivery/deliveries.ts';
import { quantile, spreadOf } from '../load.ts';
import { until } from '../programs.ts';
import { addBenchService, newConversations, queueEvents, startBenchDrain } from './bench-drain.ts';
import { startBenchReceiver } from './receiver.ts';
import type { BenchReceiver } from './receiver.ts';

const RECEIVERS = 50;
const PAIRS = 5;
const EVENTS = 30;

interface Target {
  service: string;
  receiver: BenchReceiver;
}

/**
 * Compares the latency of 49 receivers in pairs of rounds: in one round the fiftieth receiver
 * hangs, in the other all 50 respond. The first pair warms up.
 */
export async function oneOfFiftyHangs(): Promise<void> {
  const targets = await Promise.all(
    Array.from({ length: RECEIVERS }, async (): Promise<Target> => {
      const receiver = await startBenchReceiver();
      return { receiver, service: await addBenchService(receiver.url) };
    }),
  );
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    // The order alternates, so that neither kind of round gets the quieter machine.
    const medians = new Map<boolean, number>();
    for (const hanging of pair % 2 ? [true, false] : [false, true]) {
      const latencies = await oneRound(targets, hanging);
      medians.set(hanging, quantile(latencies, 0.5));
      console.log(
        `${hanging ? '1 of 50 hangs' : 'all 50 answer'}: median of the 49 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`,
      );
    }
    if (pair > 0) ratios.push((medians.get(true) ?? 0) / (medians.get(false) ?? 0));
  }
  const { min, median, max } = spreadOf(ratios);
  console.log(
    `ratio of the medians, hanging to not: ${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`,
  );
  for (const { receiver } of targets) receiver.close();
  await deliveryModel.collection.deleteMany({});
}

async function oneRound(targets: readonly Target[], hanging: boolean): Promise<number[]> {
  const [sick, ...others] = targets;
  if (!sick) return [];
  sick.receiver.answers = !hanging;
  const drain = startBenchDrain();
  const latencies: number[] = [];
  for (let round = 0; round < EVENTS; round += 1) {
    await Promise.all(
      targets.map(async (target) => {
        const { service, receiver } = target;
        const queuedAt = performance.now();
        const [row] = await queueEvents(service, { conversations: newConversations(1) });
        if (row) drain.notify([row]);
        if (!row || !others.includes(target)) return;
        await until(() => receiver.arrivedAt.has(row.eventId), 5);
        latencies.push((receiver.arrivedAt.get(row.eventId) ?? 0) - queuedAt);
      }),
    );
  }
  await drain.stop();
  return latencies;
}
