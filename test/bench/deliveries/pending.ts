import { deliveryModel } from '../../../store/delivery/deliveries.ts';
import { findDue } from '../../../store/delivery/queue.ts';
import { cpuMsOf } from '../cpu-time.ts';
import { quantile } from '../load.ts';
import { addBenchService, newConversations, queueEvents, SHARDS, startBenchDrain } from './bench-drain.ts';
import { oneByOne } from './one-by-one.ts';
import { startBenchReceiver } from './receiver.ts';

const ALL_SHARDS = [...Array(SHARDS).keys()];

/**
 * Measures a poll and a delivery at several numbers of pending deliveries. Goal: the cost stays
 * flat.
 */
export async function costWithPending(counts: readonly number[], storePid: number): Promise<void> {
  const waiting = await addBenchService('http://127.0.0.1:1/');
  let pending = 0;
  for (const count of counts) {
    await queueEvents(waiting, { conversations: newConversations(count - pending) });
    pending = count;
    const later = new Date(Date.now() + 3600_000);
    await deliveryModel.collection.updateMany(
      { service: waiting },
      { $set: { dueAt: later, pace: 'patient' } },
    );
    const looks = await repeated(200, async () => {
      await findDue({ pace: 'prompt', shards: ALL_SHARDS, limit: 1_000 }, new Date());
      await findDue({ pace: 'patient', shards: ALL_SHARDS, limit: 250 }, new Date());
    });
    const drain = startBenchDrain();
    const receiver = await startBenchReceiver();
    const service = await addBenchService(receiver.url);
    const before = await cpuMs(storePid);
    const latencies = await oneByOne(300, service, { receiver, drain });
    const each = ((await cpuMs(storePid)) - before) / latencies.length;
    console.log(
      `${count} pending: two looks ${looks.toFixed(2)} ms; queued to arrived median ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms; CPU per delivery, store included, ${each.toFixed(2)} ms`,
    );
    await drain.stop();
    receiver.close();
  }
  await deliveryModel.collection.deleteMany({});
}

/** Returns the CPU milliseconds that this process and the store have used so far. */
async function cpuMs(storePid: number): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + ((await cpuMsOf(storePid)) ?? 0);
}

async function repeated(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < count; at++) await work();
  return (performance.now() - startedAt) / count;
}
