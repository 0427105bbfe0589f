import type { Client } from '@temporalio/client';
import type { Case } from '../case.ts';

const WORKFLOWS = 200;

export const CONCURRENCIES = [1, 8, 32, 64];

export const echoName = (inFlight: number) => `echo, ${inFlight} in flight`;

export const durableEchoName = (inFlight: number) => `durable echo, ${inFlight} in flight`;

/**
 * Functions that return the CPU milliseconds used so far by all processes that serve an echo or a
 * durable echo; null: unknown.
 */
interface EchoCpu {
  echo: () => Promise<number | null>;
  durable: () => Promise<number | null>;
}

/**
 * Returns an echo case and a durable echo case per concurrency, over as many workflows as the posts
 * have conversations. An echo is an update that returns its argument. A durable echo also stores
 * its argument by a local activity.
 */
export async function echoCases(client: Client, cpuMs: EchoCpu): Promise<Case[]> {
  const echo = await startEchoes(client, 'echo');
  const durable = await startEchoes(client, 'durableEcho');
  return CONCURRENCIES.flatMap((inFlight) => [
    { name: echoName(inFlight), inFlight, work: echo, cpuMs: cpuMs.echo },
    {
      name: durableEchoName(inFlight),
      inFlight,
      floor: echoName(inFlight),
      work: durable,
      cpuMs: cpuMs.durable,
    },
  ]);
}

/** Starts the workflows and updates each once, so that the worker caches all of them. */
async function startEchoes(client: Client, type: string): Promise<Case['work']> {
  const echoes = await Promise.all(
    Array.from({ length: WORKFLOWS }, (_, n) =>
      client.workflow.start(type, { workflowId: `${type}-${n}`, taskQueue: 'echo' }),
    ),
  );
  const work = (n: number) =>
    echoes[n % WORKFLOWS]?.executeUpdate('echo', { args: ['hello'] }) ?? Promise.reject(new Error('no echo'));
  await Promise.all(echoes.map((_, n) => work(n)));
  return work;
}
