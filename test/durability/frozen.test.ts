import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { everyoneGoesOn, expectAllThere, signedIn } from './expectations.ts';
import { startWriter } from './writers.ts';
import type { Writer } from './writers.ts';

const WRITERS = 4;
const FROZEN_MS = 4_000;
const KILLS_AT_START = 2;

/**
 * Spec 1.2: nothing acknowledged is lost, also where a process is neither dead nor alive, or dies
 * before it lives.
 */
describe('a process that is held up', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ports: Awaited<ReturnType<typeof choosePorts>>;
  let product: Started;
  let admin: Client;
  let writers: Writer[] = [];
  const env = { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' };

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-frozen-');
    ports = await choosePorts();
    product = await start(folder.path, { ports, env });
    admin = await signedIn(product);
  }, 120_000);

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('frozen', product.supervisor.output());
    await folder.remove();
  }, 60_000);

  async function beginWriting(): Promise<void> {
    const made = await Promise.all(Array.from({ length: WRITERS }, () => admin.post('/conversations', {})));
    writers = made.map(({ body }) => startWriter(admin, { conversation: body.id, pauseMs: 100 }));
    await everyoneGoesOn(writers);
  }

  async function endWriting(): Promise<void> {
    await Promise.all(writers.map((writer) => writer.end()));
    for (const writer of writers) await expectAllThere(admin, writer);
  }

  test.each<Component>(['worker', 'temporal'])(
    'loses nothing while it is frozen, and all goes on after it: %s',
    async (component) => {
      await beginWriting();
      const pid = await product.pidOf(component);
      process.kill(pid, 'SIGSTOP');
      await wait(FROZEN_MS);
      process.kill(pid, 'SIGCONT');
      await everyoneGoesOn(writers);
      await endWriting();
    },
    120_000,
  );

  test('that is the store, killed while it looks through its data, starts again with all of them', async () => {
    await beginWriting();
    const killed = new Set<number>();
    for (let n = 0; n < KILLS_AT_START; n += 1) {
      // The first time it runs; from then on it has just begun to read its file.
      const pid = await eventually(
        async () => {
          const now = await product.pidOf('store');
          return Number.isInteger(now) && !killed.has(now) && now;
        },
        { withinMs: 30_000, everyMs: 2 },
      );
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    }
    await everyoneGoesOn(writers);
    await endWriting();
  }, 120_000);
});
