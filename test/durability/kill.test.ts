import { afterAll, beforeAll, describe, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { keepLog } from '../support/log.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
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

const VICTIMS: Component[] = ['worker', 'api', 'store', 'temporal'];
/** Number of kills of each process. A long run sets 100. */
const KILLS_EACH = Number(process.env['PARLANCE_KILLS'] ?? 1);
const WRITERS = 8;

/**
 * Spec 1.2, "The commit": a write whose workflow task never completed must neither be lost nor get
 * a second sequence. Every process is killed repeatedly during posts.
 */
describe('SIGKILL of any process during posts', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ports: Awaited<ReturnType<typeof choosePorts>>;
  let product: Started;
  let receiver: Receiver;
  let admin: ApiClient;
  const writers: Writer[] = [];
  const env = {
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_KEY: '0',
    WEBHOOK_RETRY_SECONDS: '1,1,1,2,2,2,5,5,5',
    LOG_LEVEL: 'warn',
  };

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-durability-');
    ports = await choosePorts();
    receiver = await startReceiver();
    product = await start(folder.path, { ports, env });
    admin = await signedIn(product);
    await registerWebhook(admin, { url: receiver.url, events: ['message.create.*'] });
  });

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('durability', product.supervisor.output());
    await receiver.close();
    await folder.remove();
  });

  test(
    `the product loses no acknowledged message in kills of each process during posts, ${KILLS_EACH} of each`,
    { timeout: 180_000 + KILLS_EACH * 60_000 },
    async () => {
      for (let n = 0; n < WRITERS; n += 1) {
        const conversation = await createConversation(admin, { name: `writer ${n}` });
        writers.push(startWriter(admin, { conversation, pauseMs: 150 }));
      }
      for (let round = 0; round < KILLS_EACH * VICTIMS.length; round += 1) {
        const victim = VICTIMS[round % VICTIMS.length] ?? 'worker';
        await wait(100 + ((round * 137) % 400));
        await signal(product, victim, 'SIGKILL');
        await everyoneGoesOn(writers).catch((error: unknown) => {
          throw new Error(`stuck after round ${round}, which killed the ${victim}`, { cause: error });
        });
      }
      await Promise.all(writers.map((writer) => writer.end()));
      for (const writer of writers) {
        await expectAllThere(admin, writer);
        await expectDelivered(receiver, writer);
      }
    },
  );
});
