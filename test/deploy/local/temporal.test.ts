import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { processIdentity } from '@parlance/process-lock';
import { freePort } from '../../../deploy/local/ports.ts';
import { startServer, startTemporal } from '../../support/embedded-servers.ts';
import {
  knowsNamespace,
  resolveTemporal,
  temporalCommand,
  waitForTemporal,
} from '../../../deploy/local/temporal.ts';
import { testFolder } from './support/folder.ts';
import { eventually } from '../../support/eventually.ts';

// The first run on a machine may have to build the server.
const FIRST_RUN_MS = 15 * 60_000;

test(
  'the embedded Temporal server keeps its workflows after it is killed and started again',
  async () => {
    const dataDir = testFolder();
    const first = await startTemporal({ dataDir });
    onTestFinished(() => first.kill());
    expect(await startWorkflow(first.address)).toBe('RUNNING');
    const ui = new URL(first.uiUrl ?? '');
    expect((await fetch(ui)).ok).toBe(true);
    const workflows = '/api/v1/namespaces/default/workflows';
    await eventually(async () => (await fetch(new URL(workflows, ui))).ok);
    for (const path of ['/', workflows])
      expect(await httpStatus(Number(ui.port), 'GET', path, 'evil.example')).toBe(403);
    const known = ['default', 'nobody-made-it', 'long'.repeat(40)].map((name) =>
      knowsNamespace(first.address, name),
    );
    expect(await Promise.all(known)).toEqual([true, false, false]);

    const identity = await processIdentity(first.pid);
    first.kill();
    await eventually(async () => (await processIdentity(first.pid)) !== identity);

    const second = await startTemporal({ dataDir, uiPort: 'none' });
    onTestFinished(() => second.kill());
    expect(second.uiUrl).toBeUndefined();
    expect(await statusOf(second.address)).toBe('RUNNING');
    await second.close();
    expect(await processIdentity(second.pid)).toBeUndefined();
  },
  FIRST_RUN_MS,
);

test(
  'the embedded Temporal server refuses every request to its HTTP API',
  async () => {
    const log = () => undefined;
    const [{ path }, port, httpPort] = await Promise.all([
      resolveTemporal({ env: process.env, log }),
      freePort(),
      freePort(),
    ]);
    const { command, args } = await temporalCommand({ binary: path, port, namespace: 'default' });
    const server = await startServer({
      name: 'Temporal',
      program: { command, args: [...args, '--http-port', String(httpPort)] },
      ready: (signal) => waitForTemporal({ address: `127.0.0.1:${port}`, namespace: 'default', signal }),
      log,
    });
    onTestFinished(() => server.kill());
    const hosts = [
      `127.0.0.1:${httpPort}`,
      `localhost:${httpPort}`,
      'evil.example',
      'none.invalid',
      'no%20host',
    ];
    const workflows = '/api/v1/namespaces/default/workflows';
    for (const host of hosts) {
      expect(await httpStatus(httpPort, 'POST', `${workflows}/started`, host)).toBe(403);
      expect(await httpStatus(httpPort, 'GET', workflows, host)).toBe(403);
    }
    expect(await httpStatus(httpPort, 'POST', `${workflows}/started`, 'no host')).toBe(400);
  },
  FIRST_RUN_MS,
);

test('a Temporal server that is absent or does not respond is not ready', async () => {
  const silent = createServer(() => undefined).listen(await freePort(), '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const ports = [(silent.address() as AddressInfo).port, await freePort()];
  const known = ports.map((port) => knowsNamespace(`127.0.0.1:${port}`, 'default'));
  expect(await Promise.all(known)).toEqual([false, false]);
});

/** Sends a request as a website can make a browser send it, and returns the status. */
async function httpStatus(port: number, method: string, path: string, host: string): Promise<number> {
  const headers = { host, 'content-type': 'text/plain', origin: 'https://evil.example' };
  const asked = request({ host: '127.0.0.1', port, method, path, headers });
  asked.end(
    method === 'POST' ? '{"workflowType":{"name":"erasure"},"taskQueue":{"name":"parlance"}}' : undefined,
  );
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

async function startWorkflow(address: string): Promise<string> {
  await withClient(address, (client) =>
    client.workflow.start('kept', { workflowId: 'kept', taskQueue: 'nobody-listens' }),
  );
  return statusOf(address);
}

async function statusOf(address: string): Promise<string> {
  return withClient(
    address,
    async (client) => (await client.workflow.getHandle('kept').describe()).status.name,
  );
}

async function withClient<T>(address: string, action: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await action(new Client({ connection }));
  } finally {
    await connection.close();
  }
}
