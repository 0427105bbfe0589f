import type { Client } from '@temporalio/client';
import type { Case } from '../case.ts';

const WORKFLOWS = 200;

export const CONCURRENCIES = [1, 8, 32, 64];

export const echoName = (inFlight: number) => `echo, ${inFlight} in flight`;

/**
 * The floor: an update of a workflow that answers what it is asked, over as many workflows as the
 * posts have conversations.
 */
export async function echoCases(client: Client, cpuMs: () => Promise<number | null>): Promise<Case[]> {
  const echoes = await Promise.all(
    Array.from({ length: WORKFLOWS }, (_, n) =>
      client.workflow.start('echo', { workflowId: `echo-${n}`, taskQueue: 'echo' }),
    ),
  );
  const work = (n: number) =>
    echoes[n % WORKFLOWS]?.executeUpdate('echo', { args: ['hello'] }) ?? Promise.reject(new Error('no echo'));
  // Each has been started and lies in the worker's cache.
  await Promise.all(echoes.map((_, n) => work(n)));
  return CONCURRENCIES.map((inFlight) => ({ name: echoName(inFlight), inFlight, work, cpuMs }));
}
