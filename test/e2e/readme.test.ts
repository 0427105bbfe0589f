import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { listeningPorts, processTree } from '../support/listening-ports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Runs `npm start` and the commands of the README as a newcomer would. Only the ports and the data
 * folder differ.
 */
describe('the first steps of a newcomer', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let bot: NodeProcess;
  let blocks: string[];
  let pressed: string;
  let ports: Awaited<ReturnType<typeof choosePorts>>;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-readme-');
    ports = await choosePorts();
    product = await start(folder.path, { ports });
    const text = await readFile('README.md', 'utf8');
    blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
  });

  afterAll(async () => {
    await bot.stop();
    await product.supervisor.stop();
    await folder.remove();
  });

  // If MONGODB_URI or TEMPORAL_ADDRESS is set, npm start does not start that server.
  test.runIf(process.platform === 'linux' && !process.env['MONGODB_URI'] && !process.env['TEMPORAL_ADDRESS'])(
    'npm start listens on TCP only for the API, Temporal and its UI',
    async () => {
      const temporal = await product.readPid('temporal');
      const others = (await processTree(product.supervisor.pid)).filter((pid) => pid !== temporal);
      expect(others).toContain(await product.readPid('store'));
      const listening = (await Promise.all(others.map(listeningPorts))).flat();
      expect(new Set(listening)).toEqual(new Set([Number(ports.PORT), Number(ports.TEMPORAL_UI_PORT)]));
      expect(await listeningPorts(temporal)).toContain(Number(ports.TEMPORAL_PORT));
    },
  );

  test.runIf(!process.env['TEMPORAL_ADDRESS'])(
    'the start page links to the Temporal UI, and the Temporal UI rejects requests of other websites',
    async () => {
      const page = await (await fetch(product.origin)).text();
      const [link = ''] =
        new RegExp(`http://127\\.0\\.0\\.1:${ports.TEMPORAL_UI_PORT}[^"]*`).exec(page) ?? [];
      expect((await fetch(link)).status).toBe(200);
      expect((await fetch(link, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
      expect(product.supervisor.output()).not.toContain('Temporal UI:');
    },
  );

  test('the first code block of the README contains the commands npm start and npm test', () => {
    expect(blocks[0]).toMatch(/^npm start .*\nnpm test .*\n$/);
  });

  test('the button of the start page begins a conversation', async () => {
    const response = await fetch(`${product.origin}/console/first-conversation`, {
      method: 'POST',
      headers: { origin: product.origin },
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    [, pressed = ''] = /inbox\/all\/(\w+)/.exec(response.headers.get('location') ?? '') ?? [];
  });

  test('the README shows how to start the echo bot, which registers itself', async () => {
    const [script = ''] = /examples\/\S+/.exec(blocks[1] ?? '') ?? [];
    const env = {
      API: `${product.origin}/v2`,
      BOT_PORT: String(await freePort()),
      ADMIN_PASSWORD: await product.password(),
    };
    bot = startNode(script, { env });
    await eventually(() => bot.output().includes('echo bot listens'));
  });

  test('the curl session of the README works when it is pasted', async () => {
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

  test('the built-in bot replies to the conversation of the button after the bot of the README has ended', async () => {
    await bot.stop();
    const login = { email: 'admin@parlance.local', password: await product.password() };
    const api = `${product.origin}/v2`;
    const { body } = await client(api).post('/auth/token', login);
    const admin = client(api, body.token);
    const path = `/conversations/${pressed}/messages`;
    await admin.post(path, { role: 'contact', text: 'Are you still there?', isBackchannel: false });
    await eventually(async () => {
      const { body: messages } = await admin.get(path);
      return messages.some(({ text }: { text: string }) => text === 'You said: Are you still there?');
    });
  });
});
