import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { keepLog } from '../support/log.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { everyoneGoesOn, expectAllThere, signedIn } from './expectations.ts';
import { startWriter } from './writers.ts';

/** `OUTAGE_SECONDS=30` for the whole promise. */
const OUTAGE_MS = Number(process.env['OUTAGE_SECONDS'] ?? 8) * 1000;
const WRITERS = 6;

/** Spec 1.2: an outage of the store delays, and never loses. */
describe('a store that does not answer', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: Client;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-outage-');
    const env = { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' };
    product = await start(folder.path, { ports: await choosePorts(), env });
    admin = await signedIn(product);
  }, 120_000);

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('outage', product.supervisor.output());
    await folder.remove();
  }, 60_000);

  test(
    'delays requests or gives 503 under load, and loses nothing acknowledged',
    { timeout: 240_000 },
    async () => {
      const { body: quiet } = await admin.post('/conversations', { name: 'due in the outage' });
      const delayed = await admin.post('/messages', {
        conversation: quiet.id,
        text: 'later',
        delay: OUTAGE_MS / 2,
      });
      const writers = [];
      for (let n = 0; n < WRITERS; n += 1) {
        const { body } = await admin.post('/conversations', { name: `writer ${n}` });
        writers.push(startWriter(admin, { conversation: body.id, pauseMs: 20 }));
      }
      await everyoneGoesOn(writers);
      const store = await product.pidOf('store');
      process.kill(store, 'SIGSTOP');
      await wait(OUTAGE_MS);
      process.kill(store, 'SIGCONT');
      await everyoneGoesOn(writers);
      await Promise.all(writers.map((writer) => writer.end()));
      for (const writer of writers) await expectAllThere(admin, writer);
      const late = async () => (await admin.get(`/messages/${delayed.body.id}`)).body.sequence;
      expect(await eventually(late, { withinMs: 30_000 })).toBe(1);
    },
  );
});
