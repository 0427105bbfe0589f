import { cp, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn } from './expectations.ts';

const CONVERSATIONS = 8;
const BEFORE = ['one', 'two'];
const AFTER = ['three', 'four'];

/** Spec 1.2: the store is the truth, and a workflow is its cache, whichever of the two is older. */
describe('a product that was given a copy of another day', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ports: Awaited<ReturnType<typeof choosePorts>>;
  let product: Started;
  let admin: Client;
  const ids: string[] = [];
  const copy = (name: string) => join(folder.path, 'copies', name);
  const data = (name = '') => join(folder.path, 'data', name);

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-restored-');
    ports = await choosePorts();
    await begin();
    for (let n = 0; n < CONVERSATIONS; n += 1) ids.push((await admin.post('/conversations', {})).body.id);
    await sayAll(BEFORE);
    await product.supervisor.stop();
    for (const name of ['store', 'temporal']) await cp(data(name), copy(name), { recursive: true });
    await begin();
    await sayAll(AFTER);
    await product.supervisor.stop();
  }, 240_000);

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('restored', product.supervisor.output());
    await folder.remove();
  }, 60_000);

  async function begin(): Promise<void> {
    product = await start(data(), { ports, env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' } });
    admin = await signedIn(product);
  }

  async function restore(name: 'store' | 'temporal'): Promise<void> {
    await rm(data(name), { recursive: true });
    await cp(copy(name), data(name), { recursive: true });
  }

  async function sayAll(texts: readonly string[], conversations = ids): Promise<void> {
    await Promise.all(
      conversations.map(async (conversation) => {
        for (const text of texts) await say(conversation, text);
      }),
    );
  }

  /** Posts, and tries again where the answer is that this may help. */
  async function say(conversation: string, text: string): Promise<void> {
    await eventually(
      async () => {
        const { status } = await admin.post('/messages', { conversation, text, externalId: text });
        if (status !== 201) expect(status).toBe(503);
        return status === 201;
      },
      { withinMs: 20_000 },
    );
  }

  async function expectStored(texts: readonly string[], conversations = ids): Promise<void> {
    for (const conversation of conversations) {
      const { body } = await admin.get(`/messages?conversation=${conversation}&sort=sequence`);
      expect(body.map(({ text }: { text: string }) => text)).toEqual(texts);
      expect(body.map(({ sequence }: { sequence: number }) => sequence)).toEqual(texts.map((_, n) => n + 1));
    }
  }

  test('goes on with all that was acknowledged where Temporal is older', { timeout: 240_000 }, async () => {
    await restore('temporal');
    await begin();
    await expectStored([...BEFORE, ...AFTER]);
    await sayAll(['five']);
    await expectStored([...BEFORE, ...AFTER, 'five']);
    await product.supervisor.stop();
  });

  test('goes on from what the store knows where the store is older', { timeout: 240_000 }, async () => {
    await restore('store');
    await begin();
    await expectStored(BEFORE);
    await sayAll(['anew', 'and on']);
    await expectStored([...BEFORE, 'anew', 'and on']);
    const closing = await admin.post('/messages', {
      conversation: ids[0],
      type: 'command',
      text: '/set status closed',
    });
    expect(closing.status).toBe(201);
    expect((await admin.get(`/conversations/${ids[0]}`)).body.status).toBe('closed');
    await product.supervisor.stop();
  });

  test(
    "does not start on damaged data of Temporal's, says what to do, and goes on once that is done",
    {
      timeout: 240_000,
    },
    async () => {
      await truncate(join(data('temporal'), 'temporal.db'), 40_960);
      await expect(begin()).rejects.toThrow(
        `Where its data are damaged, move ${data('temporal')} away and start again`,
      );
      await rm(data('temporal'), { recursive: true });
      await begin();
      await expectStored([...BEFORE, 'anew', 'and on'], ids.slice(1));
      await sayAll(['at last'], ids.slice(1));
      await expectStored([...BEFORE, 'anew', 'and on', 'at last'], ids.slice(1));
    },
  );
});
