import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAllThere, everyoneGoesOn, signal, signedIn } from './expectations.ts';
import { startWriter } from './writers.ts';

const VICTIMS: Component[] = ['api', 'worker', 'api', 'store'];
const VISIBILITY_SECONDS = 2;

interface PulledEvent {
  id: string;
  sequence: number;
  data: { message: { sequence: number; conversation: string } };
}

/** Spec 7.13. */
describe('SIGKILL during pulls', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: ApiClient;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-pulled-');
    const ports = await choosePorts();
    product = await start(folder.path, {
      ports,
      env: { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_PER_KEY: '0', LOG_LEVEL: 'warn' },
    });
    admin = await signedIn(product);
  });
  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('pulled', product.supervisor.output());
    await folder.remove();
  });

  test(
    'a puller loses no event and sees each conversation in order while it, API, worker and store are killed',
    { timeout: 300_000 },
    async () => {
      const { body: service } = await admin.post('/services', {
        ...{ name: 'feed', type: 'webhook', params: { events: ['message.create'] } },
      });
      const handled = new Map<string, number[]>();
      const seen = new Set<string>();
      let pulls = 0;
      const over = new AbortController();
      const path = `/services/${service.id}/events`;

      /** Every third puller dies between its pull and its acknowledgement. */
      const pullOnce = async (): Promise<number> => {
        pulls += 1;
        const { status, body } = await admin.once.get(
          `${path}?limit=10&wait=1&visibility=${VISIBILITY_SECONDS}`,
        );
        if (status !== 200) return 0;
        const events = body as PulledEvent[];
        if (pulls % 3 === 0) return events.length;
        for (const { id, data } of events) {
          if (seen.has(id)) continue;
          seen.add(id);
          const { conversation, sequence } = data.message;
          handled.set(conversation, [...(handled.get(conversation) ?? []), sequence]);
        }
        const ids = events.map(({ id }) => id);
        if (ids.length > 0) await admin.once.post(`${path}/ack`, { ids });
        return events.length;
      };
      const pulling = (async () => {
        while (!over.signal.aborted) await pullOnce().catch(() => 0);
      })();

      const writers = [];
      for (let n = 0; n < 4; n += 1) {
        const conversation = await createConversation(admin, { name: `writer ${n}` });
        writers.push(startWriter(admin, { conversation, pauseMs: 150 }));
      }
      for (const victim of VICTIMS) {
        await signal(product, victim, 'SIGKILL');
        await everyoneGoesOn(writers);
      }
      await Promise.all(writers.map((writer) => writer.end()));
      for (const writer of writers) await expectAllThere(admin, writer);
      const isEmpty = async () => {
        const pending = await admin.get(`/deliveries?service=${service.id}&status=pending&limit=1`);
        return pending.status === 200 && pending.body.length === 0;
      };
      await eventually(isEmpty);
      over.abort();
      await pulling;
      for (const sequences of handled.values()) {
        expect(sequences).toEqual(sequences.map((_, at) => at + 1));
      }
      expect(handled.size).toBe(writers.length);
    },
  );
});
