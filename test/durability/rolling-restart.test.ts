import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { client, createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { keepLog } from '../support/log.ts';
import { ADMIN, signIn } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startBalancer, startReplaceable } from '../support/rolling.ts';
import type { Replaceable } from '../support/rolling.ts';
import { environmentOn } from '../support/shared-servers.ts';
import { createTemporalClient } from '../support/temporal-client.ts';
import { registerWebhook } from './expectations.ts';
import { expectEachSentOnce, findDrainingWorker } from './repeats.ts';
import { postThroughRestarts } from './writers.ts';
import type { Acknowledged } from './writers.ts';

const WRITERS = 6;
/** Number of services whose receivers have not responded when a worker gets SIGTERM. */
const SLOW = 4;
/**
 * Time from SIGTERM until the slow receivers respond. A worker that does not wait for current
 * attempts would end earlier.
 */
const HELD_MS = 4_500;
const LONG = { withinMs: 120_000 };

type Post = (message: { conversation: string; text: string; type?: string }) => Promise<Acknowledged>;

interface Listener {
  receiver: Receiver;
  service: string;
}

interface Pair {
  api: Replaceable;
  worker: Replaceable;
}

/**
 * Two APIs and two workers. One API and one worker get SIGTERM and are replaced, then the other
 * two, while writers post through a ready API.
 */
describe('a rolling restart', () => {
  const pairs: Pair[] = [];
  const started: Replaceable[] = [];
  const unanswered: ServerResponse[] = [];
  const listeners: Listener[] = [];
  let env: NodeJS.ProcessEnv;
  let token: string;
  let admin: ApiClient;
  let temporal: TemporalClient;

  beforeAll(async () => {
    env = {
      ...(await environmentOn('rolling')),
      PUBLIC_URL: 'http://localhost:3000',
      // Longer than a stall of the machine, so that the balancer sees /readyz return 503 before the
      // API ends.
      SHUTDOWN_DELAY_MS: '8000',
      SHUTDOWN_TIMEOUT_MS: '60000',
      WEBHOOK_TIMEOUT_MS: '60000',
      // The balancer waits for the readiness check of a worker that has ended.
      DEADLINE_FACTOR: '1',
    };
    temporal = await createTemporalClient({ environment: env });
    pairs.push(...(await Promise.all([startPair(), startPair()])));
    const base = `${pairs[0]!.api.origin}/v2`;
    ({ token } = await signIn(base, ADMIN));
    admin = client(base, token);
    await register(await startReceiver(), ['message.create.*.chat']);
    for (let n = 0; n < SLOW; n += 1) {
      const receiver = await startReceiver();
      receiver.behave((response, { method }) => {
        if (method === 'POST') unanswered.push(response);
        else response.writeHead(200).end();
      });
      await register(receiver, ['message.create.*.tag']);
    }
  }, 300_000);

  async function startPair(): Promise<Pair> {
    const begin = async (script: 'dist/api/main.js' | 'dist/worker/main.js') => {
      const one = await startReplaceable(script, env);
      started.push(one);
      return one;
    };
    const [api, worker] = await Promise.all([begin('dist/api/main.js'), begin('dist/worker/main.js')]);
    return { api, worker };
  }

  async function register(receiver: Receiver, events: string[]): Promise<void> {
    listeners.push({ receiver, service: await registerWebhook(admin, { url: receiver.url, events }) });
  }

  afterAll(async () => {
    await Promise.all(started.map(({ process }) => process.kill()));
    await keepLog('rolling', started.map(({ process }) => process.output()).join('\n'));
    await temporal.connection.close();
    await Promise.all(listeners.map(({ receiver }) => receiver.close()));
  });

  function answerSlowly(): void {
    for (const response of unanswered.splice(0)) response.writeHead(200).end();
  }

  test(
    'a rolling restart fails no request, loses no message and sends no webhook twice',
    { timeout: 900_000 },
    async () => {
      const tagged = await createConversation(admin);
      const conversations = await Promise.all(
        Array.from({ length: WRITERS }, () => createConversation(admin)),
      );
      const balancer = startBalancer(() => pairs.map(({ api }) => api));
      const refused: unknown[] = [];
      const send = (body: object) => client(`${balancer.next()}/v2`, token).once.post('/messages', body);
      const post: Post = (message) => postThroughRestarts(send, message, refused);
      const writing = startWriting(conversations, post);

      const [quick, ...slow] = listeners;
      // The pair whose worker drains the shard of a slow service is replaced first.
      const draining = await findDrainingWorker(temporal, slow[0]!.service);
      if (pairs[1]!.worker.process.pid === draining) pairs.reverse();
      expect(pairs[0]!.worker.process.pid).toBe(draining);
      const tags: string[] = [];
      for (const at of [0, 1]) {
        tags.push(await leaveUnanswered(tagged, post));
        await replace(at);
        const soFar = writing.count();
        await eventually(() => writing.count() > soFar + WRITERS, LONG);
      }
      const posted = await writing.end();
      await balancer.end();

      expect(refused).toEqual([]);
      admin = client(`${pairs[1]!.api.origin}/v2`, token);
      for (const [conversation, messages] of posted) await expectStored(conversation, messages);
      const from = { admin, temporal };
      const chats = [...posted.values()].flat().map(({ id }) => `${id}-1`);
      await expectEachSentOnce({ ...quick!, events: chats }, from);
      for (const one of slow) await expectEachSentOnce({ ...one, events: tags }, from);
    },
  );

  /**
   * Posts a message whose event the slow receivers leave unanswered, and waits until all of them
   * have received the event. Returns the id of the event.
   */
  async function leaveUnanswered(conversation: string, post: Post): Promise<string> {
    const event = `${(await post({ conversation, text: randomUUID(), type: 'tag' })).id}-1`;
    const hasArrived = ({ receiver }: Listener) => arrivals(receiver).some(({ json }) => json.id === event);
    await eventually(() => listeners.slice(1).every(hasArrived), LONG);
    return event;
  }

  /**
   * Stops a pair and at the same time starts its replacement. Responds to the slow requests after
   * `HELD_MS`.
   */
  async function replace(at: number): Promise<void> {
    const { api, worker } = pairs[at]!;
    const ending = Promise.all([api.process.stop(), worker.process.stop()]);
    const starting = startPair();
    starting.catch(() => undefined);
    await wait(HELD_MS);
    answerSlowly();
    expect(await ending).toEqual([0, 0]);
    pairs[at] = await starting;
  }

  async function expectStored(conversation: string, messages: Acknowledged[]): Promise<void> {
    expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
    const path = `/messages?conversation=${conversation}&sort=sequence&limit=1000`;
    const { body, headers } = await admin.get(path);
    expect(headers.get('x-total')).toBe(String(messages.length));
    expect(body.map(({ id }: { id: string }) => id)).toEqual(messages.map(({ id }) => id).slice(0, 1_000));
  }
});

/** Posts messages into each conversation, one message after the other, until `end` is called. */
function startWriting(conversations: string[], post: Post) {
  const done = new AbortController();
  const posted = new Map<string, Acknowledged[]>(conversations.map((id) => [id, []]));
  const writers = conversations.map(async (conversation) => {
    for (let n = 0; !done.signal.aborted; n += 1) {
      posted.get(conversation)?.push(await post({ conversation, text: `${n}` }));
      await wait(40);
    }
  });
  return {
    count: () => [...posted.values()].flat().length,
    async end() {
      done.abort();
      await Promise.all(writers);
      return posted;
    },
  };
}
