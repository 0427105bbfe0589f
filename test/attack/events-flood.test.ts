import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi, startSecondApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { Answer } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { attackMs, expectUnharmed, pace, told } from './neighbour.ts';
import type { Sent } from './neighbour.ts';

const DATABASE = 'events_flood';
const LOOPS = '($f := function($x) { $f($x) }; $f(1))';
const BOMB = "$map([1..100000], function($i) { $pad($string($i), 10000, 'x') })";
const POSTS = '{"conversation": conversation, "messages": [{"type": "status", "text": "event " & number}]}';

const SHORT_MS = 2_500;
const QUIET_MS = 4_000;
const FORMS = 5;

/** What one sees who sends a few events and posts a second. */
interface Seen {
  events: Sent[];
  posts: Sent[];
}

describe('a flood of events', () => {
  let product: Product;
  let attacked: string;
  let attacker: KeyHolder;
  let neighbour: KeyHolder;
  let agent: KeyHolder;
  let conversation: string;
  let loops: string;
  let number = 0;
  let quiet: Seen;
  const promised: string[] = [];

  beforeAll(async () => {
    product = await startApi(DATABASE);
    attacked = await organization('A');
    const honest = await organization('B');
    attacker = await newUser(product, { role: 'bot', organization: attacked });
    neighbour = await newUser(product, { role: 'bot', organization: honest });
    agent = await newUser(product, { role: 'agent', organization: honest });
    conversation = (await product.admin.post('/conversations', { organization: honest })).body.id;
    loops = await newEventType(product, 'loops', LOOPS, attacked);
    await newEventType(product, 'bomb', BOMB, attacked);
    await newEventType(product, 'honest', POSTS, honest);
    await seen(2_000);
    quiet = await seen(QUIET_MS);
  });

  afterAll(() => product.close());

  async function organization(name: string, parent = product.organization): Promise<string> {
    return (await product.admin.post('/organizations', { name, parent })).body.id;
  }

  async function event(): Promise<Answer<any>> {
    number += 1;
    const text = `event ${number}`;
    const answer = await neighbour.post('/events/honest', { conversation, number });
    if (answer.status === 200) promised.push(text);
    return answer;
  }

  async function post(): Promise<Answer<any>> {
    const text = `post ${(number += 1)}`;
    const answer = await agent.post('/messages', { conversation, text });
    if (answer.status === 201) promised.push(text);
    return answer;
  }

  async function seen(forMs: number): Promise<Seen> {
    const paced = { everyMs: 200, forMs };
    const [events, posts] = await Promise.all([pace(event, paced), pace(post, paced)]);
    return { events, posts };
  }

  /**
   * Twenty requests a second, while a neighbour goes about their business; answers what became of
   * the requests.
   */
  async function flood(name: string, attack: (at: number) => Promise<Answer<any>>): Promise<Sent[]> {
    const forMs = attackMs(SHORT_MS, FORMS);
    const [sent, during] = await Promise.all([pace(attack, { everyMs: 50, forMs }), seen(forMs)]);
    const after = await seen(SHORT_MS);
    for (const [when, { events, posts }] of Object.entries({ quiet, during, after }))
      console.log(`${name}, ${when}: events ${told(events)}; posts ${told(posts)}`);
    console.log(`${name}: ${told(sent)}`);
    for (const { events, posts } of [during, after]) {
      expectUnharmed(events, quiet.events);
      expectUnharmed(posts, quiet.posts);
    }
    await expectNothingLost();
    return sent;
  }

  async function expectNothingLost(): Promise<void> {
    const stored: string[] = [];
    for (let after = ''; ;) {
      const { body } = await agent.get(`/conversations/${conversation}`);
      expect(body.id).toBe(conversation);
      const page = await product.admin.get(
        `/messages?conversation=${conversation}&sort=id&limit=1000&select=text${after}`,
      );
      stored.push(...page.body.map(({ text }: { text: string }) => text));
      if (page.body.length < 1000) break;
      after = `&id=>${page.body.at(-1).id}`;
    }
    expect(stored.sort()).toEqual(promised.sort());
  }

  /** What was not refused was stored and has its outcome, what was refused is nowhere. */
  async function expectWorkedOff(name: string, sent: Sent[]): Promise<void> {
    const stored = sent.filter(({ status }) => status !== 429).length;
    const total = async (query: string) =>
      Number((await product.admin.get(`/events?name=${name}&limit=1${query}`)).headers.get('x-total'));
    await eventually(async () => (await total('&status=received')) === 0, { withinMs: 120_000 });
    expect(await total('')).toBe(stored);
  }

  function expectRefused(sent: Sent[]): void {
    const refused = sent.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(sent.length / 2);
    for (const { code, retryAfterSeconds } of refused) {
      expect(code).toBe('rate_limited');
      expect(retryAfterSeconds).toBeGreaterThan(0);
    }
  }

  test('that loop is refused at the door, by each of several API processes, and a neighbour sees nothing of it', async () => {
    const second = await startSecondApi(DATABASE);
    const attackers = [attacker, client(second.base, attacker.token)];
    const sent = await flood('loops', (at) => attackers[at % 2]!.post('/events/loops', {}));
    await second.close();
    expectRefused(sent);
    await expectWorkedOff('loops', sent);
  }, 600_000);

  test('that take all memory is refused at the door, and a neighbour sees nothing of it', async () => {
    const sent = await flood('bombs', () => attacker.post('/events/bomb', {}));
    expectRefused(sent);
    await expectWorkedOff('bomb', sent);
  }, 600_000);

  test('from many organizations of one attacker counts as one', async () => {
    const children = await Promise.all([...Array(10).keys()].map((at) => organization(`A${at}`, attacked)));
    const bots = await Promise.all(
      children.map((child) => newUser(product, { role: 'bot', organization: child })),
    );
    await newEventType(product, 'inherited', LOOPS, attacked);
    const sent = await flood('ten organizations', (at) => bots[at % 10]!.post('/events/inherited', {}));
    expectRefused(sent);
    await expectWorkedOff('inherited', sent);
  }, 600_000);

  test('that are run again is refused at the door as well', async () => {
    const failed = (await attacker.get('/events?name=loops&limit=1')).body[0].id;
    const sent = await flood('retries', () => attacker.post(`/events/${failed}/retry`));
    expectRefused(sent);
  }, 600_000);

  test('that are only tried, or checked, is refused at the door, and another’s previews are not', async () => {
    const admin = await newUser(product, { role: 'admin', organization: attacked });
    const mine = await newEventType(product, 'mine', POSTS, attacked);
    const preview = () => product.admin.post(`/eventtypes/${mine}/preview`, { conversation, number: 1 });
    await preview();
    const forMs = attackMs(SHORT_MS, FORMS);
    const usual = await pace(preview, { everyMs: 400, forMs: SHORT_MS });
    const [sent, during] = await Promise.all([
      pace(() => admin.post(`/eventtypes/${loops}/preview`, {}), { everyMs: 50, forMs }),
      pace(preview, { everyMs: 400, forMs }),
    ]);
    console.log(`previews: quiet ${told(usual)}; during ${told(during)}; flood ${told(sent)}`);
    expectRefused(sent);
    expectUnharmed(during, usual);
  }, 600_000);
});
