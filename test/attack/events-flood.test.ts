import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi, startSecondApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client, createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { attackBeside, countStatuses, measureQuiet, measureRequest } from './neighbour.ts';
import type { Ask, Neighbour, Seen, Sent } from './neighbour.ts';

const DATABASE = 'events_flood';
const LOOPS = '($f := function($x) { $f($x) }; $f(1))';
const BOMB = "$map([1..100000], function($i) { $pad($string($i), 10000, 'x') })";
const POSTS = '{"conversation": conversation, "messages": [{"type": "status", "text": "event " & number}]}';

const FORMS = 5;
/** Rounds of hostile requests in the everyday run (not `npm run test:load`). */
const ROUNDS = 11;
const EACH = 8;
const WITHIN = { withinMs: 120_000, everyMs: 200 };

describe('a flood of events', () => {
  let product: OwnProduct;
  let attacked: string;
  let attacker: KeyHolder;
  let bot: KeyHolder;
  let agent: KeyHolder;
  let neighbour: Neighbour;
  let conversation: string;
  let loops: string;
  /** The number of admitted hostile events by the name of their event type. */
  const stored = new Map<string, number>();
  let number = 0;
  let quiet: Seen;
  const promised: string[] = [];

  beforeAll(async () => {
    product = await startApi(DATABASE);
    attacked = await organization('A');
    const honest = await organization('B');
    attacker = await newUser(product, { role: 'bot', organization: attacked });
    bot = await newUser(product, { role: 'bot', organization: honest });
    agent = await newUser(product, { role: 'agent', organization: honest });
    conversation = await createConversation(product.admin, { organization: honest });
    loops = await newEventType(product, 'loops', LOOPS, attacked);
    await newEventType(product, 'bomb', BOMB, attacked);
    await newEventType(product, 'honest', POSTS, honest);
    const requests = { events: event, posts: post };
    neighbour = { requests, pids: () => [product.api.pid, product.worker.pid], everyMs: 200 };
    quiet = await measureQuiet(neighbour);
  });

  afterAll(() => product.close());

  async function organization(name: string, parent = product.organization): Promise<string> {
    return (await product.admin.post('/organizations', { name, parent })).body.id;
  }

  const event: Ask = async () => {
    number += 1;
    const text = `event ${number}`;
    const answer = await bot.post('/events/honest', { conversation, number });
    if (answer.status === 200) promised.push(text);
    return answer;
  };

  const post: Ask = async () => {
    const text = `post ${(number += 1)}`;
    const answer = await agent.post('/messages', { conversation, text });
    if (answer.status === 201) promised.push(text);
    return answer;
  };

  /**
   * Floods the product while the neighbour sends requests, asserts that the neighbour is unharmed
   * and loses no message, and returns the results of the hostile requests.
   */
  async function flood(name: string, ask: Ask, beside = neighbour, before = quiet): Promise<Sent[]> {
    const attack = (at: number) => measureRequest(() => ask(at));
    const rate = { rounds: ROUNDS, each: EACH, everyMs: 50, parts: FORMS };
    const sent = await attackBeside(beside, before, { name, attack, ...rate });
    console.log(name, JSON.stringify(countStatuses(sent)));
    await expectNothingLost();
    return sent;
  }

  async function expectNothingLost(): Promise<void> {
    const found: string[] = [];
    for (let after = ''; ;) {
      const { body } = await agent.get(`/conversations/${conversation}`);
      expect(body.id).toBe(conversation);
      const page = await product.admin.get(
        `/messages?conversation=${conversation}&sort=id&limit=1000&select=text${after}`,
      );
      found.push(...page.body.map(({ text }: { text: string }) => text));
      if (page.body.length < 1000) break;
      after = `&id=>${page.body.at(-1).id}`;
    }
    expect(found.sort()).toEqual(promised.sort());
  }

  const countEvents = async (name: string, query = '') =>
    Number((await product.admin.get(`/events?name=${name}&limit=1${query}`)).headers.get('x-total'));

  /** Asserts that as many events are stored as were admitted. */
  async function expectStored(name: string, sent: readonly Pick<Sent, 'status'>[]): Promise<void> {
    stored.set(name, sent.filter(({ status }) => status !== 429).length);
    expect(await countEvents(name)).toBe(stored.get(name));
  }

  function expectRefused(sent: readonly Sent[]): void {
    const refused = sent.filter(({ status }) => status === 429);
    // On a slow machine, the flood takes longer, so that more of its requests are admitted.
    expect(refused.length).toBeGreaterThan(sent.length / 4);
    for (const { code, retryAfterSeconds } of refused) {
      expect(code).toBe('rate_limited');
      expect(retryAfterSeconds).toBeGreaterThan(0);
    }
  }

  /**
   * Sends one event per caller. Each admission queue then has a measured cost, and uses this cost
   * to reject later events at once.
   */
  const sendOneEach = (callers: readonly ApiClient[], name: string) =>
    Promise.all(callers.map((caller) => caller.once.post(`/events/${name}`, {})));

  test('a flood of events whose expression never ends, sent to two API processes, is largely rejected without effect on a neighbour', async () => {
    const second = await startSecondApi(DATABASE);
    const child = await newUser(product, { role: 'bot', organization: await organization('AA', attacked) });
    const callers = [attacker, child].flatMap((caller) => [caller, client(second.base, caller.token)]);
    const first = await sendOneEach(callers, 'loops');
    const sent = await flood('loops', (at) => callers[at % callers.length]!.once.post('/events/loops', {}));
    await second.close();
    expectRefused(sent);
    await expectStored('loops', [...first, ...sent]);
  });

  test('a flood of events whose expression exhausts the memory is largely rejected without effect on a neighbour', async () => {
    const first = await sendOneEach([attacker], 'bomb');
    const sent = await flood('bombs', () => attacker.once.post('/events/bomb', {}));
    expectRefused(sent);
    await expectStored('bomb', [...first, ...sent]);
  });

  // Runs only in `npm run test:load`, because each of ten organizations must first have a slow run.
  // test/api/admission-queue.test.ts covers the limit per branch in the everyday run.
  test.runIf(LOAD_MINUTES > 0)(
    'events from many organizations of one attacker are limited together',
    async () => {
      const children = await Promise.all([...Array(10).keys()].map((at) => organization(`A${at}`, attacked)));
      const bots = await Promise.all(
        children.map((organization) => newUser(product, { role: 'bot', organization })),
      );
      await newEventType(product, 'inherited', LOOPS, attacked);
      const sent = await flood('ten organizations', (at) =>
        bots[at % 10]!.once.post('/events/inherited', {}),
      );
      expectRefused(sent);
      await expectStored('inherited', sent);
    },
  );

  test('a flood of retries of a failed event is largely rejected without effect on a neighbour', async () => {
    const failed = (await attacker.get('/events?name=loops&limit=1')).body[0].id;
    expectRefused(await flood('retries', () => attacker.once.post(`/events/${failed}/retry`)));
  });

  test('a flood of previews is largely rejected, but no preview of another organization is rejected', async () => {
    const admin = await newUser(product, { role: 'admin', organization: attacked });
    const mine = await newEventType(product, 'mine', POSTS, attacked);
    const preview = () => product.admin.post(`/eventtypes/${mine}/preview`, { conversation, number: 1 });
    const hostile = () => admin.once.post(`/eventtypes/${loops}/preview`, {});
    const previewing = { ...neighbour, requests: { previews: preview } };
    const usual = await measureQuiet(previewing);
    await hostile();
    expectRefused(await flood('previews', hostile, previewing, usual));
  });

  test('every stored event of a flood gets an outcome', async () => {
    for (const [name, count] of stored) {
      await eventually(async () => (await countEvents(name, '&status=received')) === 0, WITHIN);
      expect(await countEvents(name)).toBe(count);
    }
  });
});
