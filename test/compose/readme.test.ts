import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/fetched.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { ADMIN } from '../support/product.ts';
import { theCluster } from './cluster.ts';

const cluster = theCluster();

describe('the first conversation of the README', () => {
  let bot: NodeProcess;

  beforeAll(async () => {
    const env = {
      API: `${cluster.origin}/v2`,
      BOT_HOST: process.env['PARLANCE_TEST_RECEIVER_HOST'],
      BOT_PORT: String(await freePort()),
      ADMIN_PASSWORD: ADMIN.password,
    };
    bot = startNode('examples/echo-bot.mjs', { env });
    await eventually(() => bot.output().includes('echo bot listens'));
  });
  afterAll(() => bot.stop());

  test('the first conversation of the README works through the proxy', async () => {
    const text = await readFile('README.md', 'utf8');
    const [, , talk = ''] = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) => lines);
    const session = talk
      .replaceAll('http://localhost:3000', cluster.origin)
      .replaceAll('$(cat data/admin-password)', ADMIN.password);
    const [first, second, page = ''] = (await run('bash', ['-c', session], { cwd: '.' })).trim().split('\n');
    expect([first, second]).toEqual([
      '1 contact Hello, is anybody there?',
      '2 bot You said: Hello, is anybody there?',
    ]);
    expect(page).toMatch(cluster.origin);
    expect((await fetch(page)).status).toBe(200);
  });
});
