import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cpuMsOfAll } from '../bench/cpu-time.ts';
import { createConversation } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { startApi } from '../support/shared-servers.ts';
import { expectUnharmed, measureQuiet, pace, measureRequest, quantile } from './neighbour.ts';
import type { Neighbour, Sent } from './neighbour.ts';

const EACH = 100;
const CONVERSATIONS = 10;
/** Gives all requests time to start before the first message is due. */
const DELAY_MS = LOAD_MINUTES > 0 ? 15_000 : 4_000;
/**
 * The maximum ratio of the CPU time of a delayed message to that of an ordinary message. The time
 * of the delayed messages includes the posts of the neighbour.
 */
const MAX_RATIO = 8;
const ORDINARY = 3;
const WITHIN = { withinMs: 120_000, everyMs: 200 };

interface Shown {
  text: string;
  sequence?: number;
  createdAt: string;
  processedAt?: string;
  delay: number;
}

interface Snoozed {
  id: string;
  status: string;
  updatedAt: string;
  snoozedUntil?: string;
}

/** Spec 6: a delayed message is processed within a second after it is due. */
describe('a thousand delayed messages that are due at once', () => {
  let product: OwnProduct;
  let neighbour: Neighbour;
  let posts = 0;

  beforeAll(async () => {
    product = await startApi('due_at_once');
    const conversation = await newConversation();
    neighbour = {
      requests: {
        posts: () => product.admin.post('/messages', { conversation, text: `post ${(posts += 1)}` }),
      },
      pids: () => [product.api.pid, product.worker.pid],
      everyMs: 100,
    };
  });
  afterAll(() => product.close());

  const newConversation = () => createConversation(product.admin);

  /**
   * Posts messages in one request. With `delayMs`, each message is due a millisecond after the
   * previous message.
   */
  async function postMany(conversation: string, delayMs?: number): Promise<void> {
    const messages = Array.from({ length: EACH }, (_, at) => ({
      conversation,
      text: `due ${String(at).padStart(3, '0')}`,
      ...(delayMs === undefined ? {} : { delay: delayMs + at }),
    }));
    const { status } = await product.admin.post('/messages', messages);
    expect(status).toBe(201);
  }

  async function readAll(conversation: string): Promise<Shown[]> {
    const path = `/messages?conversation=${conversation}&sort=sequence&limit=1000`;
    return (await product.admin.get(path)).body;
  }

  /**
   * Waits until all messages of a conversation are processed. Asserts that they are in order of
   * their due times and that few commits processed them. Returns how many milliseconds late each
   * message is.
   */
  async function measureLateness(conversation: string): Promise<number[]> {
    const shown = await eventually(async () => {
      const messages = await readAll(conversation);
      return messages.length >= EACH && messages;
    }, WITHIN);
    expect(shown.map(({ text }) => text)).toEqual(shown.map(({ text }) => text).sort());
    expect(new Set(shown.map(({ processedAt }) => processedAt)).size).toBeLessThan(EACH / 2);
    return shown.map(
      ({ createdAt, processedAt, delay }) => Date.parse(processedAt!) - Date.parse(createdAt) - delay,
    );
  }

  /**
   * Posts as the neighbour: in the load run for ten seconds, otherwise until all due messages are
   * processed and at least twenty times.
   */
  async function postBeside(processed: Promise<unknown>): Promise<Sent[]> {
    const ask = () => measureRequest(() => neighbour.requests['posts']!(0), neighbour.pids);
    if (LOAD_MINUTES > 0) return pace(ask, { everyMs: neighbour.everyMs, forMs: 10_000 });
    const state = { isOver: false };
    void processed.finally(() => (state.isOver = true));
    const sent: Sent[] = [];
    while (!state.isOver || sent.length < 20) sent.push(await ask());
    return sent;
  }

  const measureCpu = async (work: () => Promise<unknown>) => {
    const before = (await cpuMsOfAll(neighbour.pids())) ?? 0;
    await work();
    return ((await cpuMsOfAll(neighbour.pids())) ?? 0) - before;
  };

  test('a thousand delayed messages that are due at once are processed in order, in time and at little cost, without delaying others', async () => {
    const conversations = await Promise.all(Array.from({ length: CONVERSATIONS }, newConversation));
    const { posts: quiet = [] } = await measureQuiet(neighbour);
    const ordinary = await Promise.all(Array.from({ length: ORDINARY }, newConversation));
    const ordinaryMs = await measureCpu(() => Promise.all(ordinary.map((id) => postMany(id))));
    const postedMs = await measureCpu(() =>
      Promise.all(conversations.map((conversation) => postMany(conversation, DELAY_MS))),
    );
    await eventually(async () => (await readAll(conversations[0]!)).length > 0, WITHIN);
    const lateness = Promise.all(conversations.map(measureLateness));
    let meanwhile: Sent[] = [];
    const dueMs = await measureCpu(async () => (meanwhile = await postBeside(lateness)));
    const late = (await lateness).flat();
    console.log({ ordinaryMs, postedMs, dueMs, posts: meanwhile.length, lateMs: Math.max(...late) });
    const ratio = (postedMs + dueMs) / CONVERSATIONS / (ordinaryMs / ORDINARY);
    expect(ratio).toBeLessThan(MAX_RATIO);
    expect(late).toHaveLength(EACH * CONVERSATIONS);
    expectUnharmed(meanwhile, quiet);
    if (LOAD_MINUTES > 0) {
      const usual = quantile(
        quiet.map(({ tookMs }) => tookMs),
        0.99,
      );
      expect(Math.max(...late)).toBeLessThan(1_000 + 10 * usual);
    }
  }, 400_000);

  test('a hundred snoozes that end at the same time all end, and none of them early', async () => {
    const { body } = await product.admin.post('/organizations', { name: 'snoozed' });
    const organization = body.id as string;
    const read = async (): Promise<Snoozed[]> =>
      (await product.admin.get(`/conversations?organization=${organization}&limit=1000`)).body;
    const all = await Promise.all(
      Array.from({ length: EACH }, () => createConversation(product.admin, { organization })),
    );
    const snooze = (conversation: string) =>
      product.admin.post('/messages', { conversation, type: 'command', text: '/snooze PT8S' });
    const answers = await Promise.all(all.map(snooze));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const until = new Map((await read()).map(({ id, snoozedUntil }) => [id, snoozedUntil]));
    const woken = await eventually(async () => {
      const found = (await read()).filter(({ snoozedUntil }) => snoozedUntil === undefined);
      return found.length >= EACH && found;
    }, WITHIN);
    expect(woken.map(({ id }) => id).toSorted()).toEqual(all.toSorted());
    expect(woken.filter(({ status }) => status !== 'queued')).toEqual([]);
    const early = woken.filter(({ id, updatedAt }) => updatedAt < (until.get(id) ?? ''));
    expect(early).toEqual([]);
  }, 400_000);
});
