import { createCaller } from '../caller.ts';
import type { Caller } from '../caller.ts';
import { childrenOf, cpuMsOfAll } from '../cpu-time.ts';
import type { Product } from '../product.ts';

type Another = Awaited<ReturnType<Product['startAnother']>>;

/** A variable number of workers and APIs of a product. */
export interface Fleet {
  /** Callers of the APIs, in order of their start. */
  apis: Caller[];
  /** Starts or stops workers until `workers` of them are ready. Keeps at least one. */
  scaleTo: (workers: number) => Promise<void>;
  pids: () => Promise<{ worker: number[]; api: number[] }>;
  /** Kills the newest worker and returns its process id. Requires at least two workers. */
  killOne: () => number;
  /** Kills all workers. The supervisor restarts the first worker, as compose would. */
  killAll: () => Promise<void>;
  /** CPU milliseconds used so far, by kind of process. */
  cpuMs: () => Promise<Record<string, number>>;
  close: () => Promise<void>;
}

/**
 * Starts `apiCount - 1` further APIs. The first worker and the first API are part of the product.
 */
export async function startFleet(product: Product, apiCount: number): Promise<Fleet> {
  const workers: Another[] = [];
  const apis = await Promise.all(Array.from({ length: apiCount - 1 }, () => product.startAnother('api')));
  const callers = apis.map(({ origin }) => createCaller(origin, product.token));
  const pids = async () => {
    const { worker, api } = await product.pids();
    const of = (others: Another[]) => others.map(({ pid }) => pid);
    return { worker: [worker, ...of(workers)], api: [api, ...of(apis)] };
  };
  const killOne = () => {
    const { pid } = workers.pop() ?? {};
    if (pid === undefined) throw new Error('There is no added worker.');
    process.kill(pid, 'SIGKILL');
    return pid;
  };
  return {
    apis: [product, ...callers],
    pids,
    killOne,
    async scaleTo(count) {
      await Promise.all(workers.splice(Math.max(0, count - 1)).map((one) => one.stop()));
      while (workers.length < count - 1) workers.push(await product.startAnother('worker'));
    },
    async killAll() {
      const { worker } = await product.pids();
      while (workers.length > 0) killOne();
      process.kill(worker, 'SIGKILL');
    },
    async cpuMs() {
      const own = await product.cpuMsOfEach();
      const { worker, api } = await pids();
      const known = Object.entries(own).map(([name, ms]) => [name, ms ?? Number.NaN] as const);
      return {
        ...Object.fromEntries(known),
        worker: sum(await Promise.all(worker.map(cpuMsWithStarted))),
        api: sum(await Promise.all(api.map(cpuMsWithStarted))),
      };
    },
    async close() {
      await Promise.all(callers.map((caller) => caller.close()));
      await Promise.all([...apis, ...workers].map((one) => one.stop()));
    },
  };
}

/**
 * Returns the CPU milliseconds of a process and its children, or NaN if the system does not report
 * CPU time.
 */
export async function cpuMsWithStarted(pid: number): Promise<number> {
  return (await cpuMsOfAll([pid, ...(await childrenOf(pid))])) ?? Number.NaN;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
