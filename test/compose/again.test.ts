import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { theCluster } from './cluster.ts';
import { newLoad } from './load.ts';
import type { Load } from './load.ts';

const cluster = theCluster();
const hasStandIns = process.env['STAND_INS'] === 'yes';

describe('the cluster with existing data', () => {
  let product: Product;
  let receiver: Receiver;
  let load: Load;

  beforeAll(async () => {
    product = await sharedApi('again');
    receiver = await startReceiver();
    load = await newLoad(product, receiver);
  });
  afterAll(async () => {
    await receiver.close();
    await product.close();
  });

  async function newConversation(name: string): Promise<string> {
    const { status, body } = await product.admin.post('/conversations', { name });
    expect(status).toBe(201);
    return body.id as string;
  }

  /** Writes a few messages and checks all messages written so far. */
  async function writeOn(): Promise<void> {
    const writers = load.start();
    await load.progress();
    await writers.end();
    await load.expectAllKept();
  }

  test('the compose cluster keeps all messages after docker compose down and up', async () => {
    await writeOn();
    await cluster.shell('docker compose down && docker compose up --detach');
    await cluster.ready();
    await writeOn();
  });

  /** Runs the commands of docs/deployment.md, "Backups". */
  test('the compose cluster continues from a restored backup, without changes made after the backup', async () => {
    const { backUp, restore } = await commandsOfTheGuide();
    await writeOn();
    const kept = await newConversation('before the backup');
    await cluster.shell(backUp);
    await cluster.ready();
    const lost = await newConversation('after it');
    await cluster.shell(restore);
    await cluster.ready();
    expect((await product.admin.get(`/conversations/${kept}`)).status).toBe(200);
    expect((await product.admin.get(`/conversations/${lost}`)).status).toBe(404);
    await writeOn();
  });
});

/**
 * Returns the commands of the guide for backup and restore. The stand-in for MongoDB has no
 * mongodump, so the commands for the stand-in copy its folder.
 */
async function commandsOfTheGuide(): Promise<{ backUp: string; restore: string }> {
  if (hasStandIns) {
    const store = `"$(docker compose ps --all --quiet mongodb-1)"`;
    return {
      backUp: `docker compose stop mongodb-1 && docker cp ${store}:/data/db backup && docker compose start mongodb-1`,
      restore: [
        'docker compose stop api-1 api-2 worker mongodb-1',
        `docker run --rm --volumes-from ${store} --entrypoint sh "$(docker inspect --format '{{.Config.Image}}' ${store})" -c 'rm -rf /data/db/*'`,
        `docker cp backup/. ${store}:/data/db`,
        'docker compose start mongodb-1 worker api-1 api-2',
      ].join('\n'),
    };
  }
  const [, section = ''] = (await readFile('docs/deployment.md', 'utf8')).split('## Backups');
  const [backUp = '', restore = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, one = '']) => one);
  return { backUp, restore };
}
