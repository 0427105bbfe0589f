import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client as TemporalClient } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeShard } from '../../domain/delivery/delivery.ts';
import { client, createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { keepLog } from '../support/log.ts';
import { operatorShell } from '../support/operator-shell.ts';
import type { OperatorShell } from '../support/operator-shell.ts';
import { ADMIN, signIn } from '../support/product.ts';
import { respondWith, closeAtOnce, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newUser } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { createTemporalClient } from '../support/temporal-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { registerWebhook, signal } from './expectations.ts';
import { hasPendingActivity, listView, readDetails } from './operator-views.ts';

const SHARDS = 16;
const SLOW = { withinMs: 180_000 };

/**
 * Causes each fault of the table in docs/operations.md in a product started by `npm start`, finds
 * the fault in the listed place, and fixes the fault with the listed step.
 */
describe('the drill of an operator', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: ApiClient;
  let operator: OperatorShell;
  let temporal: TemporalClient;
  let bot: KeyHolder;
  const receivers: Receiver[] = [];
  const usedShards = new Set<number>();

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-drill-');
    const ports = await choosePorts();
    const env = {
      RATE_LIMIT_PER_ADDRESS: '0',
      RATE_LIMIT_PER_KEY: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_RETRY_SECONDS: Array<number>(50).fill(4).join(','),
    };
    product = await start(folder.path, { ports, env });
    const base = `${product.origin}/v2`;
    const { token } = await signIn(base, { ...ADMIN, password: await product.password() });
    admin = client(base, token);
    const environment = { TEMPORAL_ADDRESS: `127.0.0.1:${ports.TEMPORAL_PORT}` };
    operator = await operatorShell({ environment, base, token });
    temporal = await createTemporalClient({ environment });
    bot = await newUser({ admin, base }, { role: 'bot', givenName: 'Echo' });
  });

  afterAll(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await temporal.connection.close();
    await product.supervisor.stop();
    await keepLog('drill', product.supervisor.output());
    await folder.remove();
  });

  const newConversation = () => createConversation(admin);
  const say = (conversation: string, text: string, more: object = {}) =>
    bot.post('/messages', { conversation, text, ...more });
  const arrives = (id: string, text: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/messages?conversation=${id}`);
      return body.some((message: any) => message.text === text && 'sequence' in message) as boolean;
    }, SLOW);
  const details = (workflowId: string) => readDetails(temporal, workflowId);
  const seenIn = (view: string, workflowId: string, isSeen = true) =>
    eventually(async () => (await listView(temporal, view)).includes(workflowId) === isSeen, SLOW);
  /** Creates a service for messages of one type, in a shard that no other test uses. */
  const newService = async (name: string, type: string) => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const params = { url: receiver.url, events: [`message.create.*.${type}`] };
    for (;;) {
      const id = await registerWebhook(admin, params, name);
      const isFree = !usedShards.has(computeShard(id, SHARDS));
      usedShards.add(computeShard(id, SHARDS));
      if (isFree) return { id, receiver, shard: `delivery:${computeShard(id, SHARDS)}` };
      await admin.request('DELETE', `/services/${id}`);
    }
  };
  const isTold = ({ received }: Receiver, text: string) =>
    eventually(() => received.some(({ body }) => body.includes(text)), SLOW);
  const unready = (what: 'mongodb' | 'worker') =>
    eventually(async () => {
      const response = await fetch(`${product.origin}/readyz`);
      return response.status === 503 && !((await response.json()) as any).checks[what].ok;
    }, SLOW);
  /**
   * Delays a message, stops the store with `stop`, and then makes the message due through Temporal.
   */
  const hurryDelayed = async (text: string, stop: () => Promise<unknown>) => {
    const id = await newConversation();
    await say(id, text, { delay: 3_600_000 });
    await stop();
    const hurried = operator.step('Hurry or cancel a delay', 1, { id, user: bot.user });
    hurried.catch(() => undefined);
    const isStuck = () => eventually(() => hasPendingActivity(operator, id), SLOW);
    return { isStuck, isStored: () => Promise.all([hurried, arrives(id, text)]) };
  };

  test.concurrent('an operator sees that a bot without replies is blocked, and unblocks it', async () => {
    const id = await newConversation();
    for (let n = 0; n < 20; n += 1) await say(id, `message ${n}`);
    expect((await say(id, 'one more')).body.code).toBe('bot_loop_consecutive');
    await seenIn('Blocked bots', `conversation:${id}`);
    expect(await details(`conversation:${id}`)).toMatch(
      /^\*\*Needs attention\*\*\n\n- Echo is blocked until .* reply/,
    );
    await operator.step('Unblock a bot', 0, { id, bot: bot.user });
    expect((await say(id, 'one more')).status).toBe(201);
    await seenIn('Blocked bots', `conversation:${id}`, false);
  });

  test.concurrent('an operator sees by which rule a bot that repeats itself is blocked, and unblocks the bot', async () => {
    const id = await newConversation();
    for (let n = 0; n < 8; n += 1) await say(id, 'the same');
    expect((await say(id, 'the same')).body.code).toBe('bot_loop_identical');
    await seenIn('Blocked bots', `conversation:${id}`);
    expect(await details(`conversation:${id}`)).toMatch(/8 of 8 the same, blocked until /);
    await operator.step('Unblock a bot', 0, { id, bot: bot.user });
    expect((await say(id, 'the same')).status).toBe(201);
  });

  test.concurrent('an operator sees a dead receiver with its host, and the receiver gets every event once it runs again', async () => {
    const { receiver, shard } = await newService('Dead receiver', 'tag');
    const { host } = new URL(receiver.url);
    receiver.behave(closeAtOnce);
    await say(await newConversation(), 'to a dead receiver', { type: 'tag' });
    await seenIn('Failing webhooks', shard);
    expect(await details(shard)).toMatch(
      new RegExp(`- Dead receiver \\(${host}\\): attempt \\d+ unreachable .*; next try: \\S+Z`),
    );
    receiver.behave(respondWith(200));
    receiver.received.length = 0;
    await isTold(receiver, 'to a dead receiver');
  });

  test.concurrent('an operator sees that a response with 410 disabled a service, activates the service and replays the missed event', async () => {
    const { id, receiver, shard } = await newService('Gone receiver', 'mention');
    receiver.behave(respondWith(410));
    await say(await newConversation(), 'to a gone receiver', { type: 'mention' });
    await eventually(async () => /disabled/.test(await details(shard)), SLOW);
    expect((await admin.get(`/services/${id}`)).body.statusReason).toContain('410');
    receiver.behave(respondWith(200));
    receiver.received.length = 0;
    await admin.request('PATCH', `/services/${id}`, { status: 'active' });
    await eventually(async () => (await admin.get(`/services/${id}`)).body.status === 'active', SLOW);
    const [command = ''] = /^curl .*$/m.exec(await details(shard)) ?? [];
    expect(await operator.run(command)).toContain('"replayed":1');
    await isTold(receiver, 'to a gone receiver');
  });

  test.concurrent('an operator sees a paused conversation and resumes it', async () => {
    const id = await newConversation();
    await operator.step('Pause', 0, { id });
    expect((await say(id, 'paused')).body.code).toBe('paused');
    await seenIn('Paused', `conversation:${id}`);
    await operator.step('Pause', 1, { id });
    await eventually(async () => (await say(id, 'goes on')).status === 201, SLOW);
  });

  test.concurrent('an operator sees the error of a failing expression, fixes the expression and runs the event again', async () => {
    const id = await newConversation();
    const type = await newEventType({ admin }, 'drilled', '$error("broken")');
    expect((await bot.post('/events/drilled', {})).status).toBe(422);
    const [failed] = (await admin.get('/events?status=failed')).body;
    expect(failed.error.message).toMatch(/broken/);
    const expression = `{"conversation": "${id}", "messages": [{"text": "expressed"}]}`;
    await operator.step('Business events', 0, { 'event type': type, event: failed.id, expression });
    await arrives(id, 'expressed');
  });

  test.concurrent('an operator sees a message with a wrong delay and processes it at once', async () => {
    const id = await newConversation();
    await say(id, 'too late', { delay: 3_600_000 });
    await seenIn('Delayed messages', `conversation:${id}`);
    expect(await details(`conversation:${id}`)).toMatch(/\| Delayed messages \| 1, next due /);
    await operator.step('Hurry or cancel a delay', 0, { id });
    await arrives(id, 'too late');
  });

  test.concurrent('an operator sees a terminated conversation, which continues with the next request', async () => {
    const id = await newConversation();
    await operator.step('Start a conversation afresh', 0, { id });
    await seenIn('Terminated', `conversation:${id}`);
    expect((await say(id, 'goes on')).body.sequence).toBe(1);
    await seenIn('Conversations', `conversation:${id}`);
  });

  test.concurrent('a terminated shard is started again without an operator: it sends deliveries, and the view "Shards of deliveries" lists it', async () => {
    const { id, receiver, shard } = await newService('Behind a terminated shard', 'search');
    await operator.step('Move a shard', 0, { shard: String(computeShard(id, SHARDS)) });
    await say(await newConversation(), 'through a new shard', { type: 'search' });
    await isTold(receiver, 'through a new shard');
    await seenIn('Shards of deliveries', shard);
  });

  test('an operator sees an unresponsive store as a pending activity, and no message is lost', async () => {
    const goesOn = await hurryDelayed('through a stuck store', () => signal(product, 'store', 'SIGSTOP'));
    try {
      await goesOn.isStuck();
      await unready('mongodb');
    } finally {
      await signal(product, 'store', 'SIGCONT');
    }
    await goesOn.isStored();
  });

  test('an operator sees a full disk as a pending activity, and accepted messages are stored once the disk has space', async (context) => {
    const file = join(product.dataDir, 'store', 'data.mdb');
    const size = async () => (await stat(file).catch(() => ({ size: 0 }))).size;
    // Skips the test if the store is MongoDB, because MongoDB uses other files.
    if ((await size()) === 0) context.skip();
    const limit = async (fsize: string) =>
      promisify(execFile)('prlimit', ['--pid', String(await product.readPid('store')), `--fsize=${fsize}:`]);
    const text = `through a full disk ${'x'.repeat(30_000)}`;
    const goesOn = await hurryDelayed(text, async () => limit(String(await size())));
    try {
      await goesOn.isStuck();
    } finally {
      await limit('unlimited');
    }
    await goesOn.isStored();
  });

  test('an operator sees a stopped worker in the readiness probe, and conversations continue once the worker does', async () => {
    const id = await newConversation();
    await signal(product, 'worker', 'SIGSTOP');
    try {
      await unready('worker');
    } finally {
      await signal(product, 'worker', 'SIGCONT');
    }
    await eventually(async () => (await say(id, 'goes on')).status === 201, SLOW);
  });
}, 300_000);
