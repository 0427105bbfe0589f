import { countPending } from '../../store/delivery-figures.ts';
import { deliveryModel } from '../../store/deliveries.ts';
import { findDue } from '../../store/delivery-queue.ts';
import {
  addBenchService,
  quantile,
  queueEvents,
  startBenchDrain,
  startBenchReceiver,
  until,
} from './bench-drain.ts';
import type { BenchReceiver } from './bench-drain.ts';

const SHARDS = [...Array(16).keys()];

/** What a look for due deliveries and a delivery cost while so many others are pending: the goal is flat. */
export async function costWithPending(counts: readonly number[]): Promise<void> {
  const waiting = await addBenchService('http://127.0.0.1:1/');
  let pending = 0;
  for (const count of counts) {
    await queueEvents(waiting, count - pending);
    pending = count;
    const later = new Date(Date.now() + 3600_000);
    await deliveryModel.collection.updateMany(
      { service: waiting },
      { $set: { dueAt: later, pace: 'patient' } },
    );
    const looks = await repeated(200, async () => {
      await findDue({ pace: 'prompt', shards: SHARDS, limit: 1_000 }, new Date());
      await findDue({ pace: 'patient', shards: SHARDS, limit: 250 }, new Date());
    });
    const drain = startBenchDrain();
    const receiver = await startBenchReceiver();
    const service = await addBenchService(receiver.url);
    const cpu = process.cpuUsage();
    const latencies = await oneByOne(300, service, { receiver, drain });
    const { user, system } = process.cpuUsage(cpu);
    const cpuMs = (user + system) / 1000 / latencies.length;
    console.log(
      `${count} pending: two looks ${looks.toFixed(2)} ms; queued to arrived median ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms; CPU per delivery, store included, ${cpuMs.toFixed(2)} ms`,
    );
    await drain.stop();
    receiver.close();
  }
  await deliveryModel.collection.deleteMany({});
}

/** The others' latency with one of fifty receivers hanging against that with none, in one run. */
export async function oneOfFiftyHangs(): Promise<void> {
  const receivers = await Promise.all(Array.from({ length: 50 }, () => startBenchReceiver()));
  const services = await Promise.all(receivers.map(({ url }) => addBenchService(url)));
  const [sick] = receivers;
  const medians: number[] = [];
  // The first round is for warming up.
  for (const hanging of [true, false, true, false, true]) {
    const drain = startBenchDrain();
    if (sick) sick.answers = !hanging;
    const latencies: number[] = [];
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        services.map(async (service, at) => {
          const receiver = receivers[at];
          if (!receiver) return;
          const queuedAt = performance.now();
          const [row] = await queueEvents(service, 1);
          if (row) drain.notify([row]);
          if (at === 0) return;
          await until(() => receiver.arrivedAt.has(row?.eventId ?? ''));
          latencies.push((receiver.arrivedAt.get(row?.eventId ?? '') ?? 0) - queuedAt);
        }),
      );
    }
    medians.push(quantile(latencies, 0.5));
    console.log(
      `${hanging ? '1 of 50 hangs' : 'all 50 answer'}: median of the 49 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`,
    );
    await drain.stop();
  }
  const [, a = 0, b = 0, c = 0, d = 0] = medians;
  console.log(`ratio of the medians, hanging to not: ${((b + d) / (a + c)).toFixed(2)}`);
  for (const receiver of receivers) receiver.close();
  await deliveryModel.collection.deleteMany({});
}

/** So many dead endpoints with so many pending events each: what a healthy one notices of them, and how they drain when they recover. */
export async function deadEndpoints({
  endpoints,
  events,
}: {
  endpoints: number;
  events: number;
}): Promise<void> {
  const receiver = await startBenchReceiver(false);
  const healthy = await startBenchReceiver();
  const service = await addBenchService(healthy.url);
  const drain = startBenchDrain({ timeoutMs: 1_000, retrySeconds: Array<number>(50).fill(15) });
  const alone = await oneByOne(100, service, { receiver: healthy, drain });
  for (let at = 0; at < endpoints; at++) await queueEvents(await addBenchService(receiver.url), events);
  const beside = await oneByOne(100, service, { receiver: healthy, drain });
  console.log(
    `healthy service alone: median ${quantile(alone, 0.5).toFixed(1)} ms; beside ${endpoints} hanging ones with ${events} events each: median ${quantile(beside, 0.5).toFixed(1)} ms, p99 ${quantile(beside, 0.99).toFixed(1)} ms`,
  );
  receiver.answers = true;
  const recoveredAt = performance.now();
  await until(async () => (await countPending(SHARDS, 1)) === 0);
  const seconds = (performance.now() - recoveredAt) / 1000;
  console.log(
    `recovered: ${endpoints * events} delivered in ${seconds.toFixed(0)} s, ${((endpoints * events) / seconds).toFixed(0)}/s`,
  );
  await drain.stop();
  receiver.close();
  healthy.close();
  await deliveryModel.collection.deleteMany({});
}

/** How long each of so many events takes to arrive that are queued one after the other. */
async function oneByOne(
  count: number,
  service: string,
  { receiver, drain }: { receiver: BenchReceiver; drain: ReturnType<typeof startBenchDrain> },
): Promise<number[]> {
  const latencies: number[] = [];
  for (let at = 0; at < count; at++) {
    const queuedAt = performance.now();
    const [row] = await queueEvents(service, 1);
    if (!row) continue;
    drain.notify([row]);
    await until(() => receiver.arrivedAt.has(row.eventId));
    latencies.push((receiver.arrivedAt.get(row.eventId) ?? 0) - queuedAt);
  }
  return latencies;
}

async function repeated(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < count; at++) await work();
  return (performance.now() - startedAt) / count;
}
