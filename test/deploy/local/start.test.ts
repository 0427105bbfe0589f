import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, realpathSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { platformProblem } from '../../../deploy/local/start-problem.ts';
import { freePort } from '../../../deploy/local/ports.ts';
import { claimDataFolder } from '../../../deploy/local/data-folder.ts';
import { put, testFolder } from './support/folder.ts';
import { runSource } from './support/process.ts';

async function start(env: Record<string, string>, args: string[] = []) {
  const started = runSource('deploy/local/start.ts', {
    args,
    cwd: testFolder(),
    env: { PATH: process.env['PATH'], PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0', ...env },
  });
  const code = await started.ended;
  return { code, lines: started.output().trim().split('\n') };
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each(['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'])(
  '`npm start` names a busy %s in one line and exits with 1',
  async (name) => {
    const port = await takenPort();
    const { code, lines } = await start({ [name]: String(port) });
    expect(code).toBe(1);
    expect(lines).toEqual([
      `parlance Port ${port} (${name}) is taken by another program; stop that, or set another ${name}.`,
    ]);
  },
);

test('`npm start` names the folder and the process that already runs on this DATA_DIR, and exits with 1', async () => {
  const dataDir = await claimed();
  const { code, lines } = await start({ DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(lines[0]).toBe(
    `parlance Parlance is already running on ${dataDir} (process ${process.pid}); stop it first, or set another DATA_DIR.`,
  );
});

test('`npm start` on a moved DATA_DIR that is in use prints the path that the running process uses', async () => {
  const dataDir = await claimed();
  const moved = join(testFolder(), 'moved');
  renameSync(dataDir, moved);
  const { code, lines } = await start({ DATA_DIR: moved });
  expect(code).toBe(1);
  expect(lines[0]).toBe(
    `parlance Parlance is already running on ${moved} (process ${process.pid}, which knows the folder as ${dataDir}); ` +
      'stop it first, or set another DATA_DIR.',
  );
});

test('`npm start` runs on a copy of a DATA_DIR that is in use', async () => {
  const dataDir = await claimed();
  const copy = join(testFolder(), 'copy');
  cpSync(dataDir, copy, { recursive: true });
  const folder = await claimDataFolder(copy);
  await expect(claimDataFolder(copy)).rejects.toThrow(`already running on ${copy} (process ${process.pid})`);
  await expect(claimDataFolder(dataDir)).rejects.toThrow(
    `already running on ${dataDir} (process ${process.pid})`,
  );
  await folder.lock.release();
});

/** Returns a folder that this process has claimed. */
async function claimed(): Promise<string> {
  const { path } = await claimDataFolder(join(realpathSync(testFolder()), 'data'));
  return path;
}

test('`npm start` removes the access of other users to an existing DATA_DIR and to new files in it', async () => {
  const dataDir = join(testFolder(), 'data');
  put(join(dataDir, 'store/kept'), '');
  chmodSync(dataDir, 0o755);
  // This start fails because the port is taken. By then it has claimed the folder and created the
  // lock.
  const { code } = await start({ DATA_DIR: dataDir, PORT: String(await takenPort()) });
  expect(code).toBe(1);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'run')).mode & 0o077).toBe(0);
});

test.each([0o777, 0o755, 0o710])(
  '`npm start` refuses a DATA_DIR that has files of other programs and is open to other users (mode %o)',
  async (mode) => {
    const folder = join(testFolder(), 'shared');
    mkdirSync(folder);
    put(join(folder, 'letter'), '');
    chmodSync(folder, mode);
    await expect(claimDataFolder(folder)).rejects.toThrow(`chmod 700 ${folder}`);
    expect(statSync(folder).mode & 0o777).toBe(mode);
  },
);

test('`npm start` on Windows fails with one line that names WSL 2 and Docker', () => {
  expect(platformProblem('win32')).toBe('Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.');
  expect([platformProblem('linux'), platformProblem('darwin')]).toEqual([undefined, undefined]);
});

test('`npm start` refuses the arguments of the bot command line and names the package @parlance/cli', async () => {
  const { code, lines } = await start({}, ['login', '--url', 'http://localhost:3000']);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/has no option "login": .* is npx --no @parlance\/cli\.$/)]);
});

test('`npm start` names an unusable DATA_DIR and exits with 1', async () => {
  const file = put(join(testFolder(), 'file'), '');
  const { code, lines } = await start({ DATA_DIR: file });
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^parlance DATA_DIR cannot be used: /);
});

test('`npm start` does not start embedded servers when the configured servers do not respond', async () => {
  const nobody = `127.0.0.1:${await freePort()}`;
  const { code, lines } = await start({ TEMPORAL_ADDRESS: nobody, MONGODB_URI: `mongodb://${nobody}/` });
  expect(code).toBe(1);
  expect(lines[1]).toMatch(
    /^parlance (TEMPORAL_ADDRESS: no Temporal server responds there that knows the namespace "default"|MONGODB_URI: no MongoDB responds there)\.$/,
  );
});

test('`npm start` prints all configuration problems at once and exits with 1', async () => {
  const { code, lines } = await start({ PORT: '7233', TEMPORAL_PORT: '7233', LOG_LEVEL: 'loud' });
  expect(code).toBe(1);
  expect(lines.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(['LOG_LEVEL', 'PORT,']);
});
