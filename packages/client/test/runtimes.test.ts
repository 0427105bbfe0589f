import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SMOKE = 'packages/client/test/fixtures/smoke.mjs';

/** Versions of Node.js that `npm run test:clients` downloads. */
const DOWNLOADED = (process.env['CLIENT_NODE_VERSIONS'] ?? '').split(' ').filter(Boolean);

/** Runtimes that are not on PATH are skipped. */
const RUNTIMES = [
  { name: 'node', path: process.execPath, args: [] },
  { name: 'deno', path: onPath('deno'), args: ['run', '--allow-net'] },
  { name: 'bun', path: onPath('bun'), args: [] },
  ...DOWNLOADED.map((version) => ({
    name: `node ${version}`,
    path: onPath('npx'),
    args: ['--yes', `node@${version}`],
  })),
];

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Test server: echoes a post, and closes each stream after one event. */
const server = createServer((request, response) => {
  if (!request.url?.endsWith('/stream')) {
    request.pipe(response.writeHead(201, { 'content-type': 'application/json' }));
    return;
  }
  const after = request.headers['last-event-id'];
  const [id, text] = after === '1-1' ? ['2-2', 'two'] : ['1-1', 'one'];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`id: ${id}\nevent: message\ndata: {"text":"${text}"}\n\n`);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

for (const { name, path, args } of RUNTIMES) {
  test.skipIf(path === undefined)(
    `the client runs on ${name}${path ? '' : ' (not on PATH here)'}`,
    async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { stdout } = await promisify(execFile)(path!, [...args, SMOKE, url], { timeout: 50_000 });
      expect(JSON.parse(stdout)).toEqual({
        name: 'Ada',
        heard: ['message one', 'message two'],
        id: 'e1',
        reply: 'hello',
      });
    },
  );
}
