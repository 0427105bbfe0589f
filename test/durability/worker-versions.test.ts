import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { resolveTemporal } from '../../deploy/local/temporal.ts';
import { client, createConversation } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { ADMIN, signIn } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startReplaceable } from '../support/rolling.ts';
import { environmentOn } from '../support/shared-servers.ts';
import { createTemporalClient } from '../support/temporal-client.ts';
import { registerWebhook } from './expectations.ts';
import { expectEachSentOnce } from './repeats.ts';
import { postThroughRestarts } from './writers.ts';

const run = promisify(execFile);
/** The server may take minutes to spread a change of the current version on a busy machine. */
const LONG = { withinMs: 300_000 };

/**
 * Tests worker builds as versions of a Temporal deployment (docs/deployment.md). The test uses a
 * separate namespace, because versions affect a whole task queue.
 */
describe('worker versions', () => {
  const processes: NodeProcess[] = [];
  let cli: string;
  let receiver: Receiver;
  let server: Client;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    receiver = await startReceiver();
    cli = (await resolveTemporal({ env: process.env, log: () => undefined })).path;
    env = {
      ...(await environmentOn('versions')),
      PUBLIC_URL: 'http://localhost:3000',
      DEADLINE_FACTOR: '1',
    };
    server = await createTemporalClient({ environment: env });
  }, 300_000);
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await server.connection.close();
    await receiver.close();
  });

  const startWorker = async (build?: string) => {
    const { process } = await startReplaceable('dist/worker/main.js', {
      ...env,
      ...(build === undefined ? {} : { WORKER_BUILD_ID: build }),
    });
    processes.push(process);
    return process;
  };
  const deployment = async (...args: string[]) => {
    const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } = env;
    const at = ['--address', address, '--namespace', namespace];
    return (await run(cli, ['worker', 'deployment', ...args, ...at])).stdout;
  };
  const version = (build: string) => ['--deployment-name', 'parlance', '--build-id', build];
  const setCurrent = (build: string) => {
    // The server registers a version with the first poll of its worker.
    return eventually(() => deployment('set-current-version', ...version(build), '--yes'), LONG);
  };
  const buildOf = async (conversation: string) => {
    const { raw } = await server.workflow.getHandle(`conversation:${conversation}`).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? null;
  };

  test(
    'a worker version takes over running conversations from another version without a failed request',
    { timeout: 900_000 },
    async () => {
      const unversioned = await startWorker();
      const port = await freePort();
      processes.push(startNode('dist/api/main.js', { env: { ...env, PORT: String(port) } }));
      const base = `http://127.0.0.1:${port}/v2`;
      await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, LONG);
      const api = client(base, (await signIn(base, ADMIN)).token);
      const service = await registerWebhook(api, { url: receiver.url, events: ['message.create.*.chat'] });
      const create = () => createConversation(api);
      const old = [await create(), await create(), await create()];
      const events: string[] = [];
      const refused: unknown[] = [];
      const send = (message: object) => api.once.post('/messages', message);
      const post = async (conversation: string) => {
        const message = { conversation, text: randomUUID(), role: 'agent' };
        events.push(`${(await postThroughRestarts(send, message, refused)).id}-1`);
      };
      const ending = new AbortController();
      const writing = old.map(async (conversation) => {
        while (!ending.signal.aborted) {
          await post(conversation);
          await wait(50);
        }
      });

      const first = await startWorker('first');
      await setCurrent('first');
      for (const conversation of old)
        await eventually(async () => (await buildOf(conversation)) === 'first', LONG);
      expect(await unversioned.stop()).toBe(0);

      await startWorker('second');
      const between = await create();
      await post(between);
      expect(await buildOf(between)).toBe('first');
      // The second build gets some conversations, then all. Then all conversations switch back and
      // forth while the first build runs.
      await deployment('set-ramping-version', ...version('second'), '--percentage', '30', '--yes');
      for (const build of ['second', 'first', 'second']) {
        await setCurrent(build);
        for (const conversation of old)
          await eventually(async () => (await buildOf(conversation)) === build, LONG);
      }
      expect(await deployment('describe-version', ...version('first'))).toMatch(/drain/i);
      expect(await first.stop()).toBe(0);
      // An idle conversation moves to the new build with its next message.
      await post(between);
      expect(await buildOf(between)).toBe('second');

      ending.abort();
      await Promise.all(writing);
      expect(refused).toEqual([]);
      await expectEachSentOnce({ receiver, service, events }, { admin: api, temporal: server });
      const described = await deployment('describe', '--name', 'parlance');
      expect(described).toMatch(/second/);
    },
  );
});
