import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signal, signedIn } from './expectations.ts';

const SERVERS = ['temporal', 'store'] as const;
const CONVERSATIONS = 8;
const BEFORE = ['one', 'two'];
const AFTER = ['three', 'four'];

/**
 * Spec 1.2: the store is the source of truth and a workflow is a cache of the store, even if the
 * data of one of the two servers is older.
 */
describe('a product restored from a copy', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ports: Awaited<ReturnType<typeof choosePorts>>;
  let product: Started;
  let admin: ApiClient;
  const ids: string[] = [];
  const copy = (name: string) => join(folder.path, 'copies', name);
  const data = (name = '') => join(folder.path, 'data', name);

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-restored-');
    ports = await choosePorts();
    await begin();
    for (let n = 0; n < CONVERSATIONS; n += 1) ids.push(await createConversation(admin));
    await sayAll(BEFORE);
    // Both servers are stopped, so both copies show the same moment, as after a power cut.
    for (const name of SERVERS) await signal(product, name, 'SIGSTOP');
    for (const name of SERVERS) await cp(data(name), copy(name), { recursive: true });
    for (const name of SERVERS) await signal(product, name, 'SIGCONT');
    await sayAll(AFTER);
    await product.supervisor.stop();
  }, 300_000);

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('restored', product.supervisor.output());
    await folder.remove();
  });

  async function begin(): Promise<void> {
    product = await start(data(), {
      ports,
      env: { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_PER_KEY: '0', LOG_LEVEL: 'warn' },
    });
    admin = await signedIn(product);
  }

  async function restore(name: 'store' | 'temporal'): Promise<void> {
    await rm(data(name), { recursive: true });
    await cp(copy(name), data(name), { recursive: true });
  }

  async function sayAll(texts: readonly string[]): Promise<void> {
    await Promise.all(
      ids.map(async (conversation) => {
        for (const text of texts) await say(conversation, text);
      }),
    );
  }

  async function say(conversation: string, text: string): Promise<void> {
    const { status } = await admin.post('/messages', { conversation, text, externalId: text });
    expect(status).toBe(201);
  }

  async function expectStored(texts: readonly string[]): Promise<void> {
    for (const conversation of ids) {
      const { body } = await admin.get(`/messages?conversation=${conversation}&sort=sequence`);
      expect(body.map(({ text }: { text: string }) => text)).toEqual(texts);
      expect(body.map(({ sequence }: { sequence: number }) => sequence)).toEqual(texts.map((_, n) => n + 1));
    }
  }

  test(
    'a product restored from a copy keeps all acknowledged messages if the data of Temporal is older',
    { timeout: 900_000 },
    async () => {
      await restore('temporal');
      await begin();
      await expectStored([...BEFORE, ...AFTER]);
      await sayAll(['five']);
      await expectStored([...BEFORE, ...AFTER, 'five']);
      await product.supervisor.stop();
    },
  );

  test(
    'a product restored from a copy continues from the stored messages if the data of the store is older',
    { timeout: 900_000 },
    async () => {
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
    },
  );
});
