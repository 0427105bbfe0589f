import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { composeCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';

/** Of docker-compose.yml; each is killed once. */
const KILLED = ['worker', 'api-1', 'proxy', 'temporal', 'postgres', 'mongodb-1'];
const WRITERS = 3;

interface Posted {
  id: string;
  sequence: number;
}

describe('docker compose up', () => {
  let cluster: Cluster;
  let admin: Client;
  let receiver: Receiver;
  /** What was acknowledged, by conversation, in its order. */
  const posted = new Map<string, Posted[]>();

  beforeAll(async () => {
    cluster = await composeCluster();
    await cluster.compose('build', 'api-1');
    await cluster.compose('up', '--detach');
    admin = client(`${cluster.origin}/v2`, await cluster.ready());
    receiver = await startReceiver({ host: await cluster.hostAddress() });
  });
  afterAll(async () => {
    await receiver.close();
    await cluster.remove();
  });

  /** Posts, each with a key of its own until it is acknowledged; `strict` takes no second try. */
  function startWriters({ strict }: { strict: boolean }) {
    const done = new AbortController();
    const failed: unknown[] = [];
    const writer = async (conversation: string, messages: Posted[]) => {
      while (!done.signal.aborted) {
        const body = { conversation, text: `${messages.length}`, role: 'agent' };
        const key = { 'Idempotency-Key': `${conversation}-${messages.length}` };
        const answer = await admin
          .post('/messages', body, key)
          .catch((error: unknown) => ({ status: String(error), body: undefined as never }));
        if (answer.status === 201) messages.push(answer.body);
        else if (strict) failed.push(answer);
        await wait(50);
      }
    };
    const writers = [...posted].map(([id, messages]) => writer(id, messages));
    return {
      failed,
      async end() {
        done.abort();
        await Promise.all(writers);
      },
    };
  }

  /** Everything acknowledged is stored once, in its order, and was delivered. */
  async function expectAllKept(): Promise<void> {
    for (const [conversation, messages] of posted) {
      expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
      const { body } = await admin.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000`);
      expect(body.map(({ id }: Posted) => id)).toEqual(messages.map(({ id }) => id).slice(0, 1_000));
    }
    const wanted = [...posted.values()].flat().map(({ id }) => `${id}-1`);
    const arrived = () => new Set(arrivals(receiver).map(({ json }) => json.id as string));
    await eventually(
      () => {
        const here = arrived();
        return wanted.every((id) => here.has(id));
      },
      { withinMs: 120_000 },
    );
  }

  const doubles = () => {
    const ids = arrivals(receiver).map(({ json }) => json.id as string);
    return ids.length - new Set(ids).size;
  };

  test('answers through its proxy, and delivers', async () => {
    const params = { url: receiver.url, events: ['message.create.*'] };
    const { status, body } = await admin.post('/services', { name: 'hook', type: 'webhook', params });
    expect([status, body.name]).toEqual([201, 'hook']);
    for (let n = 0; n < WRITERS; n++) posted.set((await admin.post('/conversations', {})).body.id, []);
    const writers = startWriters({ strict: true });
    await wait(3_000);
    await writers.end();
    expect(writers.failed).toEqual([]);
    await expectAllKept();
  });

  test('has commands of Temporal that work', async () => {
    const listed = await cluster.compose(
      'run',
      '--rm',
      '--no-TTY',
      'temporal-cli',
      'workflow',
      'list',
      '--limit',
      '5',
    );
    expect(listed).toMatch(/Running\s+.*conversation/i);
  });

  test('is replaced without a failed request or a webhook sent twice', async () => {
    const ours = async () => (await Promise.all(['api-1', 'api-2', 'worker'].map(cluster.containers))).flat();
    const before = await ours();
    const writers = startWriters({ strict: true });
    await cluster.script('deploy/roll.sh');
    await writers.end();
    const after = await ours();
    expect(after).toHaveLength(before.length);
    expect(after.filter((one) => before.includes(one))).toEqual([]);
    expect(writers.failed).toEqual([]);
    await expectAllKept();
    expect(doubles()).toBe(0);
  });

  test.each(KILLED)('keeps what it acknowledged when %s is killed and starts again', async (service) => {
    const [container = ''] = await cluster.containers(service);
    const writers = startWriters({ strict: false });
    await wait(1_000);
    await cluster.docker('kill', container);
    await wait(2_000);
    await cluster.docker('start', container);
    await cluster.ready();
    const count = () => [...posted.values()].flat().length;
    const before = count();
    await eventually(() => count() > before + WRITERS, { withinMs: 120_000 });
    await writers.end();
    await expectAllKept();
  });

  test('goes on after down and up', async () => {
    await cluster.compose('down', '--timeout', '40');
    await cluster.compose('up', '--detach');
    await cluster.ready();
    const writers = startWriters({ strict: false });
    await wait(3_000);
    await writers.end();
    await expectAllKept();
  });
});
