import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * The README's own commands, as a newcomer pastes them; only the ports and the data folder are this
 * test's own.
 */
describe('the README', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let bot: NodeProcess;
  let blocks: string[];

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-readme-');
    product = await start(folder.path, { ports: await choosePorts() });
    const text = await readFile('README.md', 'utf8');
    blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
  }, 120_000);

  afterAll(async () => {
    await bot.stop();
    await product.supervisor.stop();
    await folder.remove();
  }, 30_000);

  test('opens with npm start and npm test', () => {
    expect(blocks[0]).toMatch(/^npm start .*\nnpm test .*\n$/);
  });

  test('shows how to start the echo bot, which registers itself', async () => {
    const [script = ''] = /examples\/\S+/.exec(blocks[1] ?? '') ?? [];
    const env = {
      API: `${product.origin}/v2`,
      BOT_PORT: String(await freePort()),
      ADMIN_PASSWORD: await product.password(),
    };
    bot = startNode(script, { env });
    await eventually(() => bot.output().includes('echo bot listens'));
  });

  test('has a curl session that works when pasted', async () => {
    const session = (blocks[2] ?? '')
      .replaceAll('http://localhost:3000', product.origin)
      .replaceAll('data/admin-password', `${folder.path}/admin-password`);
    const { stdout } = await promisify(execFile)('bash', ['-c', session]);
    const [first, second, page = ''] = stdout.trim().split('\n');
    expect([first, second]).toEqual([
      '1 contact Hello, is anybody there?',
      '2 bot You said: Hello, is anybody there?',
    ]);
    expect((await fetch(page)).status).toBe(200);
  });
});
