import { setTimeout as wait } from 'node:timers/promises';
import { makeConversations, messageTo } from '../cases/posting.ts';
import { load } from '../load.ts';
import type { Product } from '../product.ts';
import { createCpuShares } from './cpu-share.ts';
import type { Fleet } from './fleet.ts';

const WORKERS = [1, 2, 4];
const CONVERSATIONS_PER_WORKER = 12;
/**
 * Enough posts to keep a worker busy, and so few that no task waits a second. After a second,
 * another worker would get the task.
 */
const IN_FLIGHT_PER_WORKER = 5;
const WARM_UP_SECONDS = 5;
const SETTLE_SECONDS = 1;
const IDLE_MS = 2_000;

export interface Size {
  workers: number;
  apis: number;
}

export interface Turn extends Size {
  perSecond: number;
  p50: number;
  /** CPU milliseconds per message, by kind of process. */
  cpuMs: Record<string, number>;
  /** Used part of the CPU limit, from 0 to 1. */
  used: { worker: number; api: number };
  /** CPU milliseconds per second of an idle worker. */
  idleMs: number;
}

export interface Plan {
  repeats: number;
  seconds: number;
  /** CPU limit per process, in cores. */
  cores: { worker: number; api: number };
}

/**
 * Measures posts of single messages with 1, 2 and 4 workers and with each number of APIs, in every
 * round, with limited CPU. Each number of workers gets new conversations, because cached
 * conversations stay with their worker. The warm-up has no limit, because limited processes would
 * warm up slowly.
 */
export async function throughputBySize(product: Product, fleet: Fleet, plan: Plan): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let round = 1; round <= plan.repeats; round += 1) {
    for (const workers of WORKERS) {
      await fleet.scaleTo(workers);
      const ids = await makeConversations(product, CONVERSATIONS_PER_WORKER * workers, product.organization);
      await load(postTo(fleet, { workers, apis: fleet.apis.length }, ids), {
        ...{ inFlight: IN_FLIGHT_PER_WORKER * workers, seconds: WARM_UP_SECONDS },
      });
      const idleMs = await workersAtRest(fleet, workers);
      for (let apis = 1; apis <= fleet.apis.length; apis += 1) {
        const size = { workers, apis };
        const turn = {
          ...(await bounded(fleet, plan.cores, () => measure(fleet, size, { ids, plan }))),
          idleMs,
        };
        process.stderr.write(`${JSON.stringify(turn)}\n`);
        turns.push(turn);
      }
    }
  }
  return turns;
}

/** Returns the CPU milliseconds per second of an idle worker. */
async function workersAtRest(fleet: Fleet, workers: number): Promise<number> {
  const [before, startedAt] = [await fleet.cpuMs(), performance.now()];
  await wait(IDLE_MS);
  const after = await fleet.cpuMs();
  const usedMs = (after['worker'] ?? Number.NaN) - (before['worker'] ?? Number.NaN);
  return (usedMs * 1_000) / (performance.now() - startedAt) / workers;
}

function postTo(fleet: Fleet, { apis }: Size, ids: readonly string[]): (n: number) => Promise<void> {
  return async (n) => fleet.apis[n % apis]?.send('POST', '/messages', messageTo(ids[n % ids.length], n));
}

/** Runs `work` while the CPU of all workers and APIs is limited. */
async function bounded<T>(fleet: Fleet, cores: Plan['cores'], work: () => Promise<T>): Promise<T> {
  const shares = createCpuShares();
  const { worker, api } = await fleet.pids();
  try {
    for (const pid of worker) await shares.hold(pid, cores.worker);
    for (const pid of api) await shares.hold(pid, cores.api);
    return await work();
  } finally {
    await shares.release();
  }
}

async function measure(
  fleet: Fleet,
  size: Size,
  { ids, plan }: { ids: string[]; plan: Plan },
): Promise<Omit<Turn, 'idleMs'>> {
  const { workers, apis } = size;
  const post = postTo(fleet, size, ids);
  const inFlight = IN_FLIGHT_PER_WORKER * workers;
  await load(post, { inFlight, seconds: SETTLE_SECONDS });
  const before = await fleet.cpuMs();
  const startedAt = performance.now();
  const { count, perSecond, p50 } = await load(post, { inFlight, seconds: plan.seconds });
  const after = await fleet.cpuMs();
  const elapsedMs = performance.now() - startedAt;
  const usedMs = (name: string) => (after[name] ?? Number.NaN) - (before[name] ?? Number.NaN);
  return {
    ...{ workers, apis, perSecond, p50 },
    cpuMs: Object.fromEntries(Object.keys(after).map((name) => [name, usedMs(name) / count])),
    used: {
      worker: usedMs('worker') / (elapsedMs * plan.cores.worker * workers),
      api: usedMs('api') / (elapsedMs * plan.cores.api * apis),
    },
  };
}
