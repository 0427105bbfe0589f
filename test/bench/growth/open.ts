import { mkdir } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { makeConversations, messageTo } from '../cases/posting.ts';
import { memoryMbOf } from '../cpu-time.ts';
import { folderBytes } from '../folder-bytes.ts';
import { quantile } from '../load.ts';
import { startProduct } from '../product.ts';
import type { Product } from '../product.ts';
import { MAX_CACHED_WORKFLOWS } from '../../../platform/config/processes.ts';
import { makeCopies } from './copies.ts';
import { startFleet } from './fleet.ts';
import { answerAll } from './spread.ts';
import type { Answered } from './spread.ts';

const PAIRS = 100;
const ASKED = 100;

/** Results for a product with many open conversations, most of them idle. */
export interface Open {
  conversations: number;
  /** Milliseconds from `npm start` until the first admin is signed in. */
  startMs: number;
  /** Memory by process after the start, and with a full workflow cache. */
  memoryMb: { started: Memory; full: Memory };
  /** Bytes of the servers' files per conversation. */
  bytes: { store: number; temporal: number };
  /** Median milliseconds of a post to an uncached conversation, and of the next post to it. */
  postMs: { cold: number; warm: number };
  recovery: Recovery;
}

/**
 * Results of posts right after both workers were killed, and of posts while both workers are alive.
 */
interface Recovery {
  afterDeath: Answered;
  undisturbed: Answered;
}

type Memory = Record<string, number | null>;

/**
 * Starts the product of the folder, adds missing conversations, then restarts and measures the
 * product. Keeps the folder.
 */
export async function measureOpen(folder: string, atLeast: number): Promise<Open> {
  const conversations = await fillUp(folder, atLeast);
  const startedAt = performance.now();
  const product = await startProduct({ folder });
  const startMs = performance.now() - startedAt;
  try {
    const resting = await someIds(product, PAIRS + MAX_CACHED_WORKFLOWS + ASKED);
    const started = await memoryOf(product);
    const postMs = await coldAndWarm(product, resting.splice(0, PAIRS));
    await answerAll(product, resting.splice(0, MAX_CACHED_WORKFLOWS));
    const full = await memoryOf(product);
    const recovery = await allDie(product, resting);
    return {
      ...{ conversations, startMs, memoryMb: { started, full }, postMs, recovery },
      bytes: {
        store: (await folderBytes(product.data.store)) / conversations,
        temporal: (await folderBytes(product.data.temporal)) / conversations,
      },
    };
  } finally {
    await product.close();
  }
}

/**
 * Adds conversations to the product of the folder until it has at least `atLeast`. Returns the
 * number of all conversations.
 */
export async function fillUp(folder: string, atLeast: number): Promise<number> {
  await mkdir(folder, { recursive: true });
  const product = await startProduct({ folder });
  try {
    const there = await withConversations(product, (open) => open.countDocuments(NOT_REMOVED));
    if (there < atLeast) await makeCopies(atLeast - there, product);
    return Math.max(there, atLeast);
  } finally {
    await product.close();
  }
}

const NOT_REMOVED = { organization: { $exists: true } };

/** Returns ids spread evenly over all conversations. */
async function someIds(product: Product, count: number): Promise<string[]> {
  const all = await withConversations(product, (open) =>
    open
      .find(NOT_REMOVED, { projection: { _id: 1 } })
      .map(({ _id }) => String(_id))
      .toArray(),
  );
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, at) => at % step === 0).slice(0, count);
}

async function withConversations<T>(
  { mongodbUri }: Product,
  work: (conversations: ReturnType<ReturnType<MongoClient['db']>['collection']>) => Promise<T>,
): Promise<T> {
  const client = await MongoClient.connect(mongodbUri);
  try {
    return await work(client.db().collection('conversations'));
  } finally {
    await client.close();
  }
}

async function memoryOf(product: Product): Promise<Memory> {
  const pids = Object.entries(await product.pids());
  return Object.fromEntries(
    await Promise.all(pids.map(async ([name, pid]) => [name, await memoryMbOf(pid)])),
  );
}

/**
 * Posts twice to each conversation, after posts to other conversations for warming up. Returns the
 * median times of the first and the second posts.
 */
async function coldAndWarm(product: Product, ids: string[]): Promise<Open['postMs']> {
  const timed = async (id: string) => {
    const before = performance.now();
    await product.send('POST', '/messages', messageTo(id, 0));
    return performance.now() - before;
  };
  await answerAll(product, await makeConversations(product, ASKED, product.organization));
  const cold: number[] = [];
  const warm: number[] = [];
  for (const id of ids) {
    cold.push(await timed(id));
    warm.push(await timed(id));
  }
  return { cold: quantile(cold, 0.5), warm: quantile(warm, 0.5) };
}

/**
 * Kills both workers. Compares posts before the kill with posts right after it. In both groups,
 * half of the posts go to recently used conversations and half to uncached conversations.
 */
async function allDie(product: Product, resting: string[]): Promise<Recovery> {
  const fleet = await startFleet(product, 1);
  try {
    await fleet.scaleTo(2);
    const atHand = await makeConversations(product, ASKED, product.organization);
    await answerAll(product, atHand);
    const half = resting.length / 2;
    const undisturbed = await answerAll(product, [...atHand.slice(0, ASKED / 2), ...resting.slice(0, half)]);
    await fleet.killAll();
    const again = fleet.scaleTo(2);
    const afterDeath = await answerAll(product, [...atHand.slice(ASKED / 2), ...resting.slice(half)]);
    await again;
    return { afterDeath, undisturbed };
  } finally {
    await fleet.close();
  }
}
