import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../deploy/local/ports.ts';
import { eventually } from './eventually.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';

/** A process with health probes, which a test replaces under load. */
export interface Replaceable {
  origin: string;
  process: NodeProcess;
}

const LOOK_EVERY_MS = 100;

/** Starts an API or a worker on a free port and waits until it is ready. */
export async function startReplaceable(
  script: 'dist/api/main.js' | 'dist/worker/main.js',
  env: NodeJS.ProcessEnv,
): Promise<Replaceable> {
  const port = await freePort();
  const process = startNode(script, { env: { ...env, PORT: String(port), WORKER_PORT: String(port) } });
  const origin = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${origin}/readyz`)).ok, { withinMs: 150_000 }).catch(
    async (error: unknown) => {
      await process.kill();
      throw new Error(process.output(), { cause: error });
    },
  );
  return { origin, process };
}

/**
 * Polls every API as a load balancer does. `next` returns the origins of the APIs that accept
 * requests, in turn.
 */
export function startBalancer(apis: () => readonly Replaceable[]) {
  let up: string[] = apis().map(({ origin }) => origin);
  let turn = 0;
  const ending = new AbortController();
  const looking = (async () => {
    while (!ending.signal.aborted) {
      up = (
        await Promise.all(apis().map(async ({ origin }) => ((await mayBeAsked(origin)) ? [origin] : [])))
      ).flat();
      await wait(LOOK_EVERY_MS);
    }
  })();
  return {
    next: () => up[turn++ % up.length] ?? 'http://nobody.invalid',
    async end() {
      ending.abort();
      await looking;
    },
  };
}

// Returns whether an API accepts requests. Ignores slow dependencies, which affect all APIs
// equally.
async function mayBeAsked(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
  const { status } = ((await answer?.json().catch(() => undefined)) ?? {}) as { status?: string };
  return status !== undefined && status !== 'ending';
}
