import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { keepLog } from '../support/log.ts';
import { signIn } from '../support/product.ts';
import { answerAfter, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startBalancer, startReplaceable } from '../support/rolling.ts';
import type { Replaceable } from '../support/rolling.ts';
import { environmentOn } from '../support/shared-servers.ts';

const WRITERS = 6;
/** Services that are slow, in as many shards, so that either worker sends to some. */
const SLOW = 4;
// Longer than a worker that ends would wait if it did not care.
const SLOW_MS = 6_000;

interface Posted {
  id: string;
  sequence: number;
}

/**
 * Two APIs and two workers, each told to end and replaced in turn while others write through
 * whichever is listening.
 */
describe('a rolling restart', () => {
  const running = {} as Record<'api1' | 'api2' | 'worker1' | 'worker2', Replaceable>;
  const ended: Replaceable[] = [];
  let quick: Receiver;
  let slow: Receiver;
  let env: NodeJS.ProcessEnv;
  let token: string;

  beforeAll(async () => {
    env = {
      ...(await environmentOn('rolling')),
      PUBLIC_URL: 'http://localhost:3000',
      SHUTDOWN_DELAY_MS: '1000',
    };
    [quick, slow] = await Promise.all([startReceiver(), startReceiver()]);
    quick.behave(answerAfter(20));
    slow.behave(answerAfter(SLOW_MS));
    running.worker1 = await startReplaceable('dist/worker/main.js', env);
    running.worker2 = await startReplaceable('dist/worker/main.js', env);
    running.api1 = await startReplaceable('dist/api/main.js', env);
    running.api2 = await startReplaceable('dist/api/main.js', env);
    const credentials = { email: 'admin@parlance.local', password: 'correct horse battery' };
    ({ token } = await signIn(`${running.api1.origin}/v2`, credentials));
    await register(quick, ['message.create.*.chat']);
    await Promise.all(Array.from({ length: SLOW }, () => register(slow, ['message.create.*.tag'])));
  }, 120_000);

  async function register({ url }: Receiver, events: string[]): Promise<void> {
    const service = { name: 'x', type: 'webhook', params: { url, events } };
    const admin = client(`${running.api1.origin}/v2`, token);
    const { id } = (await admin.post('/services', service)).body;
    // A slow one is still being verified when its creation is answered.
    await eventually(async () => (await admin.get(`/services/${id}`)).body.status === 'active', {
      withinMs: 30_000,
    });
  }

  afterAll(async () => {
    const all = [...Object.values(running), ...ended];
    await Promise.all(all.map(({ process }) => process.stop()));
    await keepLog('rolling', all.map(({ process }) => process.output()).join('\n'));
    await Promise.all([quick.close(), slow.close()]);
  });

  // A machine that stands still for seconds looks like a dead worker, whose attempts are rightly
  // made again: then once more.
  const options = { timeout: 180_000, retry: 2 };
  test('fails no request, loses no message and sends no webhook twice', options, async () => {
    const admin = client(`${running.api1.origin}/v2`, token);
    const tagged = (await admin.post('/conversations', {})).body.id as string;
    const tags: string[] = [];
    const conversations = await Promise.all(
      Array.from({ length: WRITERS }, async () => (await admin.post('/conversations', {})).body.id as string),
    );

    const balancer = startBalancer(() => [running.api1, running.api2]);
    const done = new AbortController();
    const posted = new Map<string, Posted[]>(conversations.map((id) => [id, []]));
    const failed: unknown[] = [];
    const post = (body: object) =>
      client(`${balancer.next()}/v2`, token)
        .post('/messages', body)
        .catch((error: unknown) => ({ status: String(error), body: String((error as Error).cause) }));
    const writers = conversations.map(async (conversation) => {
      for (let n = 0; !done.signal.aborted; n += 1) {
        const answer = await post({ conversation, text: `${n}`, role: 'agent' });
        if (answer.status === 201) posted.get(conversation)?.push(answer.body);
        else failed.push([answer.status, answer.body]);
        await wait(40);
      }
    });
    await replaceAll();
    done.abort();
    await Promise.all(writers);
    await balancer.end();

    expect(failed).toEqual([]);
    for (const [conversation, messages] of posted) {
      expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
      const { body, headers } = await client(`${running.api2.origin}/v2`, token).get(
        `/messages?conversation=${conversation}&sort=sequence&limit=1000`,
      );
      expect(headers.get('x-total')).toBe(String(messages.length));
      expect(body.map(({ id }: { id: string }) => id)).toEqual(messages.map(({ id }) => id).slice(0, 1_000));
    }
    const chats = [...posted.values()].flat().map(({ id }) => `${id}-1`);
    const slowly = tags.flatMap((id) => Array<string>(SLOW).fill(`${id}-1`));
    for (const [receiver, expected] of [[quick, chats] as const, [slow, slowly] as const]) {
      const wanted = new Set(expected);
      const arrived = () =>
        arrivals(receiver)
          .map(({ json }) => json.id as string)
          .filter((id) => wanted.has(id));
      await eventually(() => arrived().length >= expected.length, { withinMs: 90_000 });
      expect(arrived().sort()).toEqual(expected.sort());
    }

    async function replaceAll(): Promise<void> {
      for (const name of ['worker1', 'api1', 'worker2', 'api2'] as const) {
        const old = running[name];
        if (name.startsWith('worker')) await tag();
        const ending = old.process.stop();
        const fresh = startReplaceable(
          name.startsWith('api') ? 'dist/api/main.js' : 'dist/worker/main.js',
          env,
        );
        expect([name, await ending]).toEqual([name, 0]);
        running[name] = await fresh;
        ended.push(old);
        const count = () => [...posted.values()].flat().length;
        const soFar = count();
        await eventually(() => count() > soFar + WRITERS);
      }
    }

    /** Leaves all slow receivers with an event that they have not answered yet. */
    async function tag(): Promise<void> {
      const before = arrivals(slow).length;
      const { status, body } = await post({ conversation: tagged, text: 'x', type: 'tag' });
      expect(status).toBe(201);
      tags.push(body.id);
      await eventually(() => arrivals(slow).length === before + SLOW, { withinMs: 60_000 });
    }
  });
});
