import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client as TemporalClient } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shardOf } from '../../domain/delivery/delivery.ts';
import { SAVED_VIEWS } from '../../domain/operators/saved-views.ts';
import { client } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Component, Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { operatorShell } from '../support/operator-shell.ts';
import type { OperatorShell } from '../support/operator-shell.ts';
import { ADMIN, signIn } from '../support/product.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newUser } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { temporalClientOf } from '../support/temporal-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SHARDS = 16;
const SLOW = { withinMs: 60_000 };

/**
 * The table of faults at the end of docs/operations.md: each is brought about, found where the
 * guide says, and mended by its step, in one product as `npm start` runs it.
 */
describe('the drill', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: Client;
  let operator: OperatorShell;
  let temporal: TemporalClient;
  let bot: KeyHolder;
  let receiver: Receiver;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-drill-');
    const ports = await choosePorts();
    const env = {
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_RETRY_SECONDS: Array<number>(40).fill(2).join(','),
    };
    product = await start(folder.path, { ports, env });
    const base = `${product.origin}/v2`;
    const { token } = await signIn(base, { ...ADMIN, password: await product.password() });
    admin = client(base, token);
    const environment = { TEMPORAL_ADDRESS: `127.0.0.1:${ports.TEMPORAL_PORT}` };
    operator = await operatorShell({ environment, base, token });
    temporal = await temporalClientOf({ environment });
    bot = await newUser({ admin, base }, { role: 'bot', givenName: 'Echo' });
    receiver = await startReceiver();
  }, 120_000);

  afterAll(async () => {
    await receiver.close();
    await temporal.connection.close();
    await product.supervisor.stop();
    await keepLog('drill', product.supervisor.output());
    await folder.remove();
  }, 60_000);

  const newConversation = async () => (await admin.post('/conversations', {})).body.id as string;
  const say = (conversation: string, text: string, more: object = {}) =>
    bot.post('/messages', { conversation, text, ...more });
  const arrives = (id: string, text: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/messages?conversation=${id}`);
      return body.some((message: { text: string }) => message.text === text) as boolean;
    }, SLOW);
  const details = async (workflowId: string) => {
    const handle = temporal.workflow.getHandle(workflowId);
    const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails;
  };
  /** Whether a view on the start page lists the workflow, soon. */
  const seenIn = (name: string, workflowId: string, isSeen = true) =>
    eventually(async () => {
      const { query } = SAVED_VIEWS.find((view) => view.name === name)!;
      const found: string[] = [];
      for await (const one of temporal.workflow.list({ query })) found.push(one.workflowId);
      return found.includes(workflowId) === isSeen;
    }, SLOW);
  const newService = async (name: string) => {
    const params = { url: receiver.url, events: ['message.create'] };
    const { body } = await admin.post('/services', { name, type: 'webhook', params });
    await isActive(body.id as string);
    return body.id as string;
  };
  const isActive = (id: string) =>
    eventually(async () => (await admin.get(`/services/${id}`)).body.status === 'active');
  const shard = (service: string) => `delivery:${shardOf(service, SHARDS)}`;
  const isTold = (text: string) =>
    eventually(() => receiver.received.some(({ body }) => body.includes(text)), SLOW);
  const signal = async (component: Component, name: 'SIGSTOP' | 'SIGCONT') =>
    process.kill(await product.pidOf(component), name);
  /** What the probe says while something does not answer. */
  const unready = () =>
    eventually(async () => {
      const response = await fetch(`${product.origin}/readyz`);
      return response.status === 503 && (await response.text());
    });
  const waitsForStore = (id: string) =>
    eventually(async () => {
      const said = await operator.run(`temporal workflow describe -w conversation:${id} --output json`);
      const { pendingActivities = [] } = JSON.parse(said) as { pendingActivities?: unknown[] };
      return pendingActivities.length > 0;
    }, SLOW);

  test('a bot that nobody answers is seen as blocked, and is unblocked', async () => {
    const id = await newConversation();
    for (let n = 0; n < 20; n += 1) await say(id, `message ${n}`);
    expect((await say(id, 'one more')).body.code).toBe('bot_loop_consecutive');
    await seenIn('Blocked bots', `conversation:${id}`);
    expect(await details(`conversation:${id}`)).toMatch(
      /^\*\*Needs a hand\*\*\n\n- Echo is blocked until .* reply/,
    );
    await operator.step('Unblock a bot', 0, { id, bot: bot.user });
    expect((await say(id, 'one more')).status).toBe(201);
    await seenIn('Blocked bots', `conversation:${id}`, false);
  });

  test('a bot that repeats itself is seen as blocked, with the rule, and is unblocked', async () => {
    const id = await newConversation();
    for (let n = 0; n < 8; n += 1) await say(id, 'the same');
    expect((await say(id, 'the same')).body.code).toBe('bot_loop_identical');
    await seenIn('Blocked bots', `conversation:${id}`);
    expect(await details(`conversation:${id}`)).toMatch(/8 of 8 the same, blocked until /);
    await operator.step('Unblock a bot', 0, { id, bot: bot.user });
    expect((await say(id, 'the same')).status).toBe(201);
  });

  test('a dead receiver is seen with its host, and is told everything once it lives', async () => {
    const service = await newService('Dead receiver');
    const { port, host } = new URL(receiver.url);
    await receiver.close();
    await say(await newConversation(), 'to a dead receiver');
    await seenIn('Failing webhooks', shard(service));
    expect(await details(shard(service))).toMatch(
      new RegExp(`- Dead receiver \\(${host}\\): attempt \\d+ unreachable .*; next try: \\S+Z`),
    );
    receiver = await startReceiver({ port: Number(port) });
    await isTold('to a dead receiver');
    await admin.request('DELETE', `/services/${service}`);
  });

  test('a receiver that said 410 is seen as disabled, is activated, and gets what it missed', async () => {
    const service = await newService('Gone receiver');
    receiver.behave(answer(410));
    await say(await newConversation(), 'to a gone receiver');
    await eventually(async () => /disabled/.test(await details(shard(service))), SLOW);
    expect((await admin.get(`/services/${service}`)).body.statusReason).toContain('410');
    receiver.behave(answer(200));
    receiver.received.length = 0;
    await admin.request('PATCH', `/services/${service}`, { status: 'active' });
    await isActive(service);
    const [command = ''] = /^curl .*$/m.exec(await details(shard(service))) ?? [];
    expect(await operator.run(command)).toContain('"replayed":1');
    await isTold('to a gone receiver');
  });

  test('a paused conversation is seen, and goes on', async () => {
    const id = await newConversation();
    await operator.step('Pause', 0, { id });
    expect((await say(id, 'paused')).body.code).toBe('paused');
    await seenIn('Paused', `conversation:${id}`);
    await operator.step('Pause', 1, { id });
    await eventually(async () => (await say(id, 'goes on')).status === 201);
  });

  test('an expression that fails is seen with its fault, is mended, and the event runs', async () => {
    const id = await newConversation();
    const type = await newEventType({ admin }, 'drilled', '$unknown(1)');
    expect((await bot.post('/events/drilled', {})).status).toBe(422);
    const [failed] = (await admin.get('/events?status=failed')).body;
    expect(failed.error.message).toMatch(/function/i);
    const expression = `{"conversation": "${id}", "messages": [{"text": "expressed"}]}`;
    await operator.step('Business events', 0, { 'event type': type, event: failed.id, expression });
    await arrives(id, 'expressed');
  });

  test('a message that waits for a wrong time is seen, and is hurried', async () => {
    const id = await newConversation();
    await say(id, 'too late', { delay: 3_600_000 });
    await seenIn('Delayed messages', `conversation:${id}`);
    expect(await details(`conversation:${id}`)).toMatch(/\| Delayed messages \| 1, next due /);
    await operator.step('Hurry or cancel a delay', 0, { id });
    await arrives(id, 'too late');
  });

  test('a terminated conversation is seen, and goes on with the next request', async () => {
    const id = await newConversation();
    await operator.step('Start a conversation afresh', 0, { id });
    await seenIn('Terminated', `conversation:${id}`);
    expect((await say(id, 'goes on')).body.sequence).toBe(1);
    await seenIn('Conversations', `conversation:${id}`);
  });

  test('a terminated shard is missed in its view, and sends again by itself', async () => {
    const service = await newService('Behind a terminated shard');
    const shardId = String(shardOf(service, SHARDS));
    await operator.step('Move a shard', 0, { shard: shardId });
    await say(await newConversation(), 'through a new shard');
    await isTold('through a new shard');
    await seenIn('Shards of deliveries', `delivery:${shardId}`);
  });

  test('a store that does not answer is seen in a stuck activity, and nothing is lost', async () => {
    const id = await newConversation();
    await say(id, 'through a stuck store', { delay: 2_000 });
    await signal('store', 'SIGSTOP');
    try {
      await waitsForStore(id);
      await unready();
    } finally {
      await signal('store', 'SIGCONT');
    }
    await arrives(id, 'through a stuck store');
  });

  test('a full disk is seen in a stuck activity, and what was taken comes once there is space', async (context) => {
    const file = join(product.dataDir, 'store', 'data.mdb');
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    // A MongoDB on the PATH has files of its own.
    if (size === 0) context.skip();
    const id = await newConversation();
    await say(id, `through a full disk ${'x'.repeat(30_000)}`, { delay: 3_000 });
    const limit = async (fsize: string) =>
      promisify(execFile)('prlimit', ['--pid', String(await product.pidOf('store')), `--fsize=${fsize}:`]);
    await limit(String((await stat(file)).size));
    try {
      await waitsForStore(id);
    } finally {
      await limit('unlimited');
    }
    await eventually(async () => (await admin.get(`/messages?conversation=${id}`)).body.length === 1, SLOW);
  });

  test('a worker that does not run is seen by the probe, and conversations go on when it does', async () => {
    const id = await newConversation();
    await signal('worker', 'SIGSTOP');
    try {
      expect(await unready()).toContain('worker');
    } finally {
      await signal('worker', 'SIGCONT');
    }
    await eventually(async () => (await say(id, 'goes on')).status === 201, SLOW);
  });
}, 180_000);
