import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cpuMsOf } from '../bench/cpu-time.ts';
import { startMongodb } from '../support/embedded-servers.ts';
import type { OwnProduct } from '../support/product.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import { expectWithinASecond } from '../support/within-a-second.ts';

const DATABASE = 'large_report';
const CONVERSATIONS = 100_000;
const BATCH = 1_000;
const REPORTS = 3;
const DAY_MS = 86_400_000;
const SINCE = Date.parse('2026-01-01T00:00:00Z');

let product: OwnProduct;
let store: { uri: string; pid?: number; close: () => Promise<void> };
let reported: string;

beforeAll(async () => {
  const given = process.env['MONGODB_URI'];
  store = given ? { uri: given, close: () => Promise.resolve() } : await startMongodb();
  const uri = new URL(store.uri);
  uri.pathname = `/${DATABASE}`;
  product = await startApi(DATABASE, { MONGODB_URI: uri.toString() });
  reported = (await product.admin.post('/organizations', { name: 'large' })).body.id;
  const mongo = await MongoClient.connect(store.uri);
  const conversations = mongo.db(DATABASE).collection<{ _id: string }>('conversations');
  for (let at = 0; at < CONVERSATIONS; at += BATCH) {
    await conversations.insertMany(Array.from({ length: BATCH }, (_, n) => conversation(at + n)));
  }
  await mongo.close();
}, 600_000);
afterAll(async () => {
  await product.close();
  await store.close();
});

/** As large as a conversation of a few messages, with the JSON of its last commit. */
function conversation(n: number) {
  const createdAt = new Date(SINCE + ((n * 7919) % (365 * 24 * 60)) * 60_000);
  const later = (minutes: number) => new Date(createdAt.getTime() + minutes * 60_000);
  return {
    ...{ _id: n.toString(16).padStart(24, '0'), slug: `slug-${n}`, organization: reported, version: 5 },
    ...{ type: 'contact', status: n % 10 ? 'closed' : 'queued', category: `category ${n % 20}` },
    ...{
      participants: [],
      channels: [],
      channelsOffline: [],
      forms: [],
      results: [],
      pending: [],
      loops: {},
    },
    ...{ touchpoints: { web: { services: [], selected: true } }, meta: { order: n }, createdBy: reported },
    ...{ createdAt, updatedAt: later(90), lastMessageAt: later(60), firstContactAt: later(0) },
    ...{ firstReplyAt: later(n % 50), acceptedAt: later(n % 100), closedAt: later(n % 1_000) },
    commit: JSON.stringify({ texts: 'a text of a message '.repeat(100) }),
  };
}

test('a report of 100,000 conversations leaves an honest post its second', async () => {
  const { admin } = product;
  const conversation = (await admin.post('/conversations', {})).body.id;
  const timed = async <T>(work: () => Promise<T>) => {
    const begun = performance.now();
    const result = await work();
    return { result, ms: performance.now() - begun };
  };
  const post = () => timed(() => admin.post('/messages', { conversation, text: 'honest' }));
  const address = `/organizations/${reported}/report?since=2026-01-01&until=${new Date(SINCE + 365 * DAY_MS).toISOString()}`;
  const quiet: number[] = [];
  for (let n = 0; n < 20; n++) quiet.push((await post()).ms);
  const beside: number[] = [];
  const reports: { ms: number; apiMs: number; storeMs: number }[] = [];
  for (let n = 0; n < REPORTS; n++) {
    const bot = await newUser(product, { role: 'bot', organization: reported });
    const before = await Promise.all([cpuMsOf(product.api.pid), cpuMsOf(store.pid ?? 0)]);
    const state = { over: false };
    const reading = timed(() => bot.get(address)).finally(() => (state.over = true));
    const isOver = () => state.over;
    while (!isOver()) beside.push((await post()).ms);
    const { result, ms } = await reading;
    expect(result.status).toBe(200);
    expect(result.body).toMatchObject({
      conversations: CONVERSATIONS,
      statuses: { queued: CONVERSATIONS / 10, active: 0, closed: CONVERSATIONS - CONVERSATIONS / 10 },
      times: { accept: { median: 49 * 60_000, p90: 89 * 60_000 }, firstReply: { median: 24 * 60_000 } },
    });
    const after = await Promise.all([cpuMsOf(product.api.pid), cpuMsOf(store.pid ?? 0)]);
    const [apiMs, storeMs] = after.map((used, at) => (used ?? 0) - (before[at] ?? 0)) as [number, number];
    reports.push({ ms, apiMs, storeMs });
  }
  console.log({
    reports,
    quiet: Math.max(...quiet),
    beside: { posts: beside.length, max: Math.max(...beside) },
  });
  expectWithinASecond(beside, quiet);
});
