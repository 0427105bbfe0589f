import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { ADMIN, environmentFor } from '../support/product.ts';

function environment(port: number, more: NodeJS.ProcessEnv = {}) {
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  return { ...environmentFor({ ...servers, database: 'process' }), PORT: String(port), ...more };
}

/** Spec 1.4. */
describe('an API process', () => {
  test('an API process finishes open requests on SIGTERM and exits with 0', async () => {
    const port = await freePort();
    const api = startNode('dist/api/main.js', { env: environment(port) });
    await eventually(() => answersHealth(port));
    const connections = await Promise.all(Array.from({ length: 5 }, () => connected(port)));
    // The server accepts connections in order, so a response on a later connection proves that the
    // earlier connections are accepted.
    await answersHealth(port);
    const answers = connections.map((socket) => logIn(socket));
    await answersHealth(port);
    expect(await api.stop()).toBe(0);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 5 }, () => 'HTTP/1.1 401 Unauthorized'));
  });

  test('an API process reports its shutdown on /readyz and serves requests for SHUTDOWN_DELAY_MS', async () => {
    const port = await freePort();
    const env = environment(port, { SHUTDOWN_DELAY_MS: '60000' });
    const api = startNode('dist/api/main.js', { env });
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return { code: response.status, ...((await response.json()) as { status: string }) };
    };
    await eventually(() => answersHealth(port));
    expect((await ready()).status).not.toBe('ending');
    process.kill(api.pid, 'SIGTERM');
    await eventually(async () => (await ready()).status === 'ending');
    expect((await ready()).code).toBe(503);
    expect(await logIn(await connected(port), 'close')).toBe('HTTP/1.1 401 Unauthorized');
    await api.kill();
  });

  test('an API process logs one line and exits with 1 if its port is in use', async () => {
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

  test.each(['api', 'worker'])(
    'the %s process logs how to create a missing namespace and exits with 1',
    async (name) => {
      const env = environment(await freePort(), { TEMPORAL_NAMESPACE: 'nobodys' });
      const started = startNode(`dist/${name}/main.js`, { env: { ...env, LOG_LEVEL: 'warn' } });
      expect(await started.ended).toBe(1);
      expect(started.output().trim().split('\n')).toHaveLength(1);
      expect(started.output()).toContain('temporal operator namespace create --namespace nobodys');
    },
  );

  test('an API process reports the first admin to its supervisor, and exits with 0 when the supervisor disconnects', async () => {
    const told: unknown[] = [];
    const port = await freePort();
    const env = environment(port, { BOOTSTRAP_ADMIN_EMAIL: 'First@Example.com' });
    const api = fork('dist/api/main.js', { env: { ...process.env, ...env }, silent: true, execArgv: [] });
    const ended = new Promise((resolve) => api.once('exit', resolve));
    api.on('message', (message) => told.push(message));
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
    expect(told).toEqual([{ type: 'bootstrap', email: 'first@example.com', created: false }]);
    api.disconnect();
    expect(await ended).toBe(0);
  });

  test('several API processes that start at once create only one first admin', async () => {
    const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const apis = ports.map((port) =>
      startNode('dist/api/main.js', {
        env: { ...environmentFor({ ...servers, database: 'firstadmin' }), PORT: String(port) },
      }),
    );
    const logins = await Promise.all(
      ports.map((port) =>
        eventually(async () => {
          const { status, body } = await client(`http://127.0.0.1:${port}/v2`).post('/auth/token', ADMIN);
          return status === 200 && (body as { token: string });
        }),
      ),
    );
    const admin = client(`http://127.0.0.1:${ports[0]}/v2`, logins[0]!.token);
    expect((await admin.get('/users')).body).toHaveLength(1);
    expect((await admin.get('/users?name=admin@parlance.local')).body, 'also by name').toHaveLength(1);
    expect((await admin.get('/organizations')).body).toMatchObject([{ name: 'Parlance', level: 0 }]);
    await Promise.all(apis.map((api) => api.stop()));
  });
});

/** Requests /healthz on a new connection and returns whether the status is 200. */
function answersHealth(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', reject);
  });
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function logIn(socket: Socket, connection = 'keep-alive'): Promise<string> {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'some password' });
  const head = [
    'POST /v2/auth/token HTTP/1.1',
    'Host: localhost',
    `Connection: ${connection}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write([...head, '', body].join('\r\n'));
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer.split('\r\n')[0] ?? '';
}
