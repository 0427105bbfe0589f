import { setTimeout as wait } from 'node:timers/promises';
import { countPending } from '../../../store/delivery/metrics.ts';
import { deliveryModel } from '../../../store/delivery/deliveries.ts';
import { serviceModel } from '../../../store/delivery/services.ts';
import { quantile } from '../load.ts';
import { until } from '../programs.ts';
import { addBenchService, newConversations, queueEvents, SHARDS, startBenchDrain } from './bench-drain.ts';
import { oneByOne } from './one-by-one.ts';
import { startBenchReceiver } from './receiver.ts';
import type { BenchReceiver } from './receiver.ts';

const ALL_SHARDS = [...Array(SHARDS).keys()];
/** Conversations per dead endpoint. */
const LANES = 10;
const HEALTHY_EVENTS = 200;
/** Timeout of an attempt. The product's default, 20 s, causes less load. */
const TIMEOUT_MS = 5_000;
const RETRY_SECONDS = 15;
const RECOVERS_WITHIN_SECONDS = 600;
/** After this time all rows for which the drain has no room are deferred. */
const SETTLED_AFTER_MS = 60_000;
const MB = 1024 * 1024;

/**
 * Measures dead endpoints with pending events: the effect on a healthy service, the memory of the
 * drain, and the time until all events have arrived in order after recovery.
 */
export async function deadEndpoints({
  endpoints,
  events,
}: {
  endpoints: number;
  events: number;
}): Promise<void> {
  const dead = await startBenchReceiver();
  const healthy = await startBenchReceiver();
  const service = await addBenchService(healthy.url);
  const drain = startBenchDrain({
    timeoutMs: TIMEOUT_MS,
    retrySeconds: Array<number>(500).fill(RETRY_SECONDS),
  });
  const memory = watchMemory();
  const measure = async (when: string) => {
    const latencies = await oneByOne(HEALTHY_EVENTS, service, { receiver: healthy, drain });
    const median = quantile(latencies, 0.5);
    console.log(
      `healthy service ${when}: median ${median.toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`,
    );
    return median;
  };
  await measure('at first, for warming up');
  const before = await measure('before');
  dead.answers = false;
  const services = await queueFirst(dead.url, endpoints);
  await until(async () => (await countFailing()) === endpoints, 1_000);
  await queueOthers(services, events);
  await measure('right after that');
  await wait(SETTLED_AFTER_MS);
  const beside = [await measure('beside the dead'), await measure('beside the dead')];
  dead.answers = true;
  const seconds = await recovery(dead, endpoints * events);
  const after = await measure('after');
  const ratio = (2 * quantile(beside, 0.5)) / (before + after);
  console.log(
    `beside ${endpoints} dead endpoints with ${events} events each, against without: ${ratio.toFixed(2)} times (goal: at most 1.5)`,
  );
  const rate = (endpoints * events) / seconds;
  console.log(
    `recovered: all ${endpoints * events} in order in ${seconds.toFixed(0)} s, ${rate.toFixed(0)}/s; memory ${memory.end()}`,
  );
  await drain.stop();
  dead.close();
  healthy.close();
  await deliveryModel.collection.deleteMany({});
}

/**
 * Creates services and queues the first event of each of their conversations. Returns the
 * conversations by service.
 */
async function queueFirst(url: string, count: number): Promise<Map<string, string[]>> {
  const services = new Map<string, string[]>();
  for (let at = 0; at < count; at += 1) {
    const service = await addBenchService(url);
    const conversations = newConversations(LANES);
    services.set(service, conversations);
    await queueEvents(service, { conversations });
  }
  return services;
}

/** Queues the remaining events of services that are known to fail. */
async function queueOthers(services: ReadonlyMap<string, string[]>, events: number): Promise<void> {
  const startedAt = performance.now();
  for (const [service, conversations] of services)
    await queueEvents(service, { conversations, first: 2, count: events / LANES - 1, pace: 'patient' });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${services.size} services fail; queued ${events} events for each, in ${seconds.toFixed(0)} s`);
}

async function countFailing(): Promise<number> {
  return serviceModel.countDocuments({ failingSince: { $exists: true } });
}

/**
 * Waits until `count` events were answered and no delivery is pending. Returns the seconds until
 * the last of these responses. Throws if the responses take more than ten minutes, or if an event
 * overtook an earlier event.
 */
async function recovery(dead: BenchReceiver, count: number): Promise<number> {
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1000;
  while (dead.answered.size < count) {
    await wait(250);
    if (seconds() > RECOVERS_WITHIN_SECONDS) throw new Error(`only ${dead.answered.size} arrived`);
  }
  const took = seconds();
  assertOrder(dead.answered);
  await until(async () => (await countPending(ALL_SHARDS, 1)) === 0, 1_000);
  return took;
}

function assertOrder(ids: Iterable<string>): void {
  const last = new Map<string, number>();
  for (const id of ids) {
    const [conversation = '', sequence = ''] = id.split('-');
    if (Number(sequence) !== (last.get(conversation) ?? 0) + 1) throw new Error(`${id} came out of order`);
    last.set(conversation, Number(sequence));
  }
}

function watchMemory() {
  const start = process.memoryUsage().rss / MB;
  let most = start;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss / MB)), 500);
  return {
    end() {
      clearInterval(timer);
      return `${start.toFixed(0)} MB at first, ${most.toFixed(0)} MB at most`;
    },
  };
}
