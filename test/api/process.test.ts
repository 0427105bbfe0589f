import { fork } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { environmentFor } from '../support/product.ts';

function environment(port: number, more: NodeJS.ProcessEnv = {}) {
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  return { ...environmentFor({ ...servers, database: 'process' }), PORT: String(port), ...more };
}

/** Contract 1. */
describe('an API process', () => {
  test('ends with 0 on SIGTERM, after it has answered what was under way', async () => {
    const port = await freePort();
    const api = startNode('dist/api/main.js', { env: environment(port) });
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, { withinMs: 30_000 });
    // Connections that are there already: one that is still being made when the port closes is the client's to make again.
    await Promise.all(Array.from({ length: 5 }, () => client(`http://127.0.0.1:${port}/v2`).get('/users/me')));
    const login = { email: 'nobody@example.com', password: 'some password' };
    const underWay = Array.from({ length: 5 }, () =>
      client(`http://127.0.0.1:${port}/v2`).post('/auth/token', login),
    );
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
    const startedAt = Date.now();
    expect(await api.stop()).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    const answers = await Promise.all(underWay);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test('says in one line that its port is in use, and exits with 1', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const api = startNode('dist/api/main.js', { env: environment(port) });
    expect(await api.ended).toBe(1);
    const lines = api.output().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`Port ${port} (PORT) is in use.`);
    holder.close();
  });

  test('tells its supervisor about the first admin, and ends with 0 when it is gone', async () => {
    const told: unknown[] = [];
    const port = await freePort();
    const env = environment(port, { BOOTSTRAP_ADMIN_EMAIL: 'First@Example.com' });
    const api = fork('dist/api/main.js', { env: { ...process.env, ...env }, silent: true, execArgv: [] });
    const ended = new Promise((resolve) => api.once('exit', resolve));
    api.on('message', (message) => told.push(message));
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, { withinMs: 30_000 });
    expect(told).toEqual([{ type: 'bootstrap', email: 'First@Example.com', created: false }]);
    api.disconnect();
    expect(await ended).toBe(0);
  });

  test('makes one first admin, however many processes start at once', async () => {
    const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const apis = ports.map((port) =>
      startNode('dist/api/main.js', {
        env: { ...environmentFor({ ...servers, database: 'firstadmin' }), PORT: String(port) },
      }),
    );
    const logins = await Promise.all(
      ports.map((port) =>
        eventually(
          async () => {
            const { status, body } = await client(`http://127.0.0.1:${port}/v2`).post('/auth/token', {
              email: 'admin@parlance.local',
              password: 'correct horse battery',
            });
            return status === 200 && (body as { token: string });
          },
          { withinMs: 30_000 },
        ),
      ),
    );
    const admin = client(`http://127.0.0.1:${ports[0]}/v2`, logins[0]!.token);
    expect((await admin.get('/users')).body).toHaveLength(1);
    expect((await admin.get('/organizations')).body).toMatchObject([{ name: 'Parlance', level: 0 }]);
    await Promise.all(apis.map((api) => api.stop()));
  });
});
