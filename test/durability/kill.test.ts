import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { firstArrivals } from '../support/arrivals.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { keepLog } from '../support/log.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { everyoneGoesOn, expectAllThere, signedIn } from './expectations.ts';
import { startWriter } from './writers.ts';
import type { Acknowledged, Writer } from './writers.ts';

const VICTIMS: Component[] = ['worker', 'api', 'store', 'temporal'];
/** How often each process is killed; a run of its own may ask for a hundred. */
const KILLS_EACH = Number(process.env['PARLANCE_KILLS'] ?? 3);
const WRITERS = 8;

/**
 * Spec 1.2, "The commit": a write whose workflow task never completed must neither be forgotten nor
 * be given its number twice. Here every process is killed again and again in the middle of posting.
 */
describe('SIGKILL of any process in the middle of posting', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ports: Awaited<ReturnType<typeof choosePorts>>;
  let product: Started;
  let receiver: Receiver;
  let admin: Client;
  const writers: Writer[] = [];
  const env = { RATE_LIMIT_PER_SECOND: '0', WEBHOOK_RETRY_SECONDS: '1,1,1,2,2,2,5,5,5', LOG_LEVEL: 'warn' };

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-durability-');
    ports = await choosePorts();
    receiver = await startReceiver();
    product = await start(folder.path, { ports, env });
    admin = await signedIn(product);
    const params = { url: receiver.url, events: ['message.create.*'] };
    expect((await admin.post('/services', { name: 'witness', type: 'webhook', params })).body.status).toBe(
      'active',
    );
  }, 120_000);

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('durability', product.supervisor.output());
    await receiver.close();
    await folder.remove();
  }, 60_000);

  test(
    `loses nothing acknowledged in ${KILLS_EACH} kills of each`,
    { timeout: 60_000 + KILLS_EACH * 60_000 },
    async () => {
      for (let n = 0; n < WRITERS; n += 1) {
        const { body } = await admin.post('/conversations', { name: `writer ${n}` });
        writers.push(startWriter(admin, { conversation: body.id, pauseMs: 150 }));
      }
      for (let round = 0; round < KILLS_EACH * VICTIMS.length; round += 1) {
        const victim = VICTIMS[round % VICTIMS.length] ?? 'worker';
        await wait(100 + ((round * 137) % 400));
        process.kill(await product.pidOf(victim), 'SIGKILL');
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

  test(
    'kill -9 of everything, then a start: all data there, pending deliveries sent',
    { timeout: 120_000 },
    async () => {
      const [writer] = writers;
      if (!writer) throw new Error('the writers have gone');
      receiver.behave(answer(503));
      const posted = await admin.post('/messages', {
        conversation: writer.conversation,
        text: 'before the cut',
        role: 'agent',
      });
      expect(posted.status).toBe(201);
      const last = { id: posted.body.id, sequence: posted.body.sequence, text: 'before the cut' };
      const pids = await Promise.all(VICTIMS.map((victim) => product.pidOf(victim)));
      await product.supervisor.kill();
      await keepLog('durability-before-the-cut', product.supervisor.output());
      for (const pid of pids) killIfAlive(pid);
      receiver.behave(answer(200));
      product = await start(folder.path, { ports, env });
      admin = await signedIn(product);
      writer.acknowledged.push(last);
      await expectAllThere(admin, writer);
      await expectDelivered(receiver, writer);
    },
  );
});

async function expectDelivered(receiver: Receiver, { conversation, acknowledged }: Writer): Promise<void> {
  const delivered = () =>
    firstArrivals(receiver)
      .map(({ json }) => json.data.message)
      .filter((message) => message.conversation === conversation)
      .map(({ id, sequence, text }): Acknowledged => ({ id, sequence, text }));
  await eventually(() => delivered().length >= acknowledged.length, { withinMs: 60_000, everyMs: 250 });
  expect(delivered()).toEqual(acknowledged);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its supervisor.
  }
}
