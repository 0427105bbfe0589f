import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  everyoneGoesOn,
  expectAllThere,
  expectDelivered,
  registerWebhook,
  signal,
  signedIn,
} from './expectations.ts';
import { startWriter } from './writers.ts';
import type { Writer } from './writers.ts';

const COMPONENTS: Component[] = ['worker', 'api', 'store', 'temporal'];
const WRITERS = 4;
/**
 * Longer than the first two attempts of a store activity, after which the attempts are further
 * apart.
 */
const FROZEN_MS = Number(process.env['FROZEN_SECONDS'] ?? 5) * 1000;
const KILLS_AT_START = 2;
const LONG = { withinMs: 120_000 };

/**
 * Spec 1.2: no acknowledged message is lost if a process hangs, if a process dies during its start,
 * or if all processes die together. An outage of the store only delays messages.
 */
describe('the product with a frozen or killed process', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ports: Awaited<ReturnType<typeof choosePorts>>;
  let product: Started;
  let receiver: Receiver;
  let admin: ApiClient;
  let writers: Writer[] = [];
  const env = {
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_KEY: '0',
    WEBHOOK_RETRY_SECONDS: '1,1,1,2,2,2,5,5,5',
    LOG_LEVEL: 'warn',
  };

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-frozen-');
    ports = await choosePorts();
    receiver = await startReceiver();
    product = await start(folder.path, { ports, env });
    admin = await signedIn(product);
  });

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('frozen', product.supervisor.output());
    await receiver.close();
    await folder.remove();
  });

  async function beginWriting(): Promise<void> {
    const ids = await Promise.all(Array.from({ length: WRITERS }, () => createConversation(admin)));
    writers = ids.map((conversation) => startWriter(admin, { conversation, pauseMs: 50 }));
    await everyoneGoesOn(writers);
  }

  async function endWriting(): Promise<void> {
    await everyoneGoesOn(writers);
    await Promise.all(writers.map((writer) => writer.end()));
    for (const writer of writers) await expectAllThere(admin, writer);
  }

  test.each<Component>(['worker', 'temporal', 'store'])(
    'a frozen process delays requests, and due messages are processed once the process continues: %s',
    async (component) => {
      const delay = FROZEN_MS / 2;
      const conversation = await createConversation(admin);
      const message = { conversation, text: 'later', delay };
      const { body: delayed } = await admin.post('/messages', message);
      await beginWriting();
      await signal(product, component, 'SIGSTOP');
      await wait(FROZEN_MS);
      await signal(product, component, 'SIGCONT');
      await endWriting();
      const sequence = async () => (await admin.get(`/messages/${delayed.id}`)).body.sequence;
      expect(await eventually(sequence, LONG)).toBe(1);
    },
    300_000,
  );

  test('the product recovers all data after a kill of the store during its start', async () => {
    await beginWriting();
    const killed = new Set<number>();
    for (let n = 0; n < KILLS_AT_START; n += 1) {
      // The first kill hits a running store. Each later kill hits a store that begins to read its
      // file.
      const pid = await eventually(
        async () => {
          const now = await product.readPid('store');
          return Number.isInteger(now) && !killed.has(now) && now;
        },
        { ...LONG, everyMs: 2 },
      );
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    }
    await endWriting();
  }, 300_000);

  test('the product keeps all data and sends pending deliveries after kill -9 of every process', async () => {
    await registerWebhook(admin, { url: receiver.url, events: ['message.create.*'] });
    receiver.behave(respondWith(503));
    await beginWriting();
    await Promise.all(writers.map((writer) => writer.end()));
    const pids = await Promise.all(COMPONENTS.map((component) => product.readPid(component)));
    await product.supervisor.kill();
    await keepLog('frozen-before-the-cut', product.supervisor.output());
    for (const pid of pids) killIfAlive(pid);
    receiver.behave(respondWith(200));
    product = await start(folder.path, { ports, env });
    admin = await signedIn(product);
    for (const writer of writers) {
      await expectAllThere(admin, writer);
      await expectDelivered(receiver, writer);
    }
  }, 300_000);
});

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended with its supervisor.
  }
}
