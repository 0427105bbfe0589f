import type { Client } from '@temporalio/client';
import { makeConversations, messageTo } from '../cases/posting.ts';
import type { Caller } from '../caller.ts';
import { load } from '../load.ts';
import type { Product } from '../product.ts';
import { until } from '../programs.ts';
import { conversationWorkflowId } from '../../../workflows/contract.ts';
import type { Fleet } from './fleet.ts';

const WORKERS = 4;
const CONVERSATIONS = 96;
const FEW = 32;
/**
 * More than the hundred updates after which a workflow run ends. Any worker may get the next run.
 */
const MESSAGES_OF_A_RUN = 110;
const IN_FLIGHT = 16;
/** Number of history events to read from the end: enough to include a completed workflow task. */
const EVENTS = 20;
const UNTIL_KILL_SECONDS = 2;

/** Shares of the conversations by worker, largest first; the sum is 1. */
type Shares = number[];

/**
 * In milliseconds: the time until the first conversation responded, the time until all
 * conversations responded, and the time of the slowest post with its repeats.
 */
export interface Answered {
  firstMs: number;
  allMs: number;
  slowestMs: number;
}

export interface Spread {
  before: Shares;
  /** Baseline with all workers alive. */
  undisturbed: Answered;
  afterDeath: Answered;
  after: Shares;
}

/**
 * Kills one of four workers under load. Returns the shares of the workers and the response times,
 * both before and after the kill.
 */
export async function spreadAfterDeath(product: Product, fleet: Fleet, client: Client): Promise<Spread> {
  await fleet.scaleTo(WORKERS);
  const ids = await makeConversations(product, CONVERSATIONS, product.organization);
  const before = await sharesOf(client, ids);
  const undisturbed = await answerAll(product, ids);
  const work = (n: number) => product.send('POST', '/messages', messageTo(ids[n % ids.length], n));
  const loading = load(work, { inFlight: IN_FLIGHT / 2, seconds: UNTIL_KILL_SECONDS * 2 });
  await load(work, { inFlight: IN_FLIGHT / 2, seconds: UNTIL_KILL_SECONDS });
  fleet.killOne();
  const afterDeath = await answerAll(product, ids);
  await loading;
  return { before, undisturbed, afterDeath, after: await sharesOf(client, ids) };
}

/**
 * Adds two workers to two existing workers. Returns the share of conversations on the new workers:
 * at once, and after each conversation has begun another run.
 */
export async function spreadToAdded(
  product: Product,
  fleet: Fleet,
  client: Client,
): Promise<{ atOnce: number; afterARun: number }> {
  await fleet.scaleTo(WORKERS / 2);
  const ids = await makeConversations(product, FEW, product.organization);
  const { worker: earlier } = await fleet.pids();
  await fleet.scaleTo(WORKERS);
  const added = async () => {
    const counts = await handledBy(client, ids);
    const theirs = [...counts].filter(([pid]) => !earlier.includes(pid));
    return theirs.reduce((sum, [, count]) => sum + count, 0) / ids.length;
  };
  await answerAll(product, ids);
  const atOnce = await added();
  let next = 0;
  const runner = async () => {
    while (next < FEW * MESSAGES_OF_A_RUN)
      await product.send('POST', '/messages', messageTo(ids[next % FEW], next++));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, runner));
  return { atOnce, afterARun: await added() };
}

/** Posts to each conversation, 16 at a time, and repeats refused posts. */
export async function answerAll({ send }: Pick<Caller, 'send'>, ids: readonly string[]): Promise<Answered> {
  const startedAt = performance.now();
  const took: { untilMs: number; ownMs: number }[] = [];
  const left = [...ids];
  const isAnswered = (id: string) =>
    send('POST', '/messages', messageTo(id, left.length)).then(
      () => true,
      () => false,
    );
  const runner = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const before = performance.now();
      await until(() => isAnswered(id));
      const now = performance.now();
      took.push({ untilMs: now - startedAt, ownMs: now - before });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, runner));
  return {
    firstMs: Math.min(...took.map(({ untilMs }) => untilMs)),
    allMs: performance.now() - startedAt,
    slowestMs: Math.max(...took.map(({ ownMs }) => ownMs)),
  };
}

async function sharesOf(client: Client, ids: readonly string[]): Promise<Shares> {
  const counts = await handledBy(client, ids);
  return [...counts.values()].map((count) => count / ids.length).sort((one, other) => other - one);
}

/**
 * Returns for each worker, by process id, the number of conversations whose last workflow task the
 * worker completed.
 */
async function handledBy(client: Client, ids: readonly string[]): Promise<Map<number, number>> {
  const pids = await Promise.all(ids.map((id) => lastWorkerOf(client, id)));
  const counts = new Map<number, number>();
  for (const pid of pids) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  return counts;
}

/**
 * Returns the process id of the worker that completed the last workflow task of a conversation. The
 * name of a worker has host, process id and a random part (`worker/main.ts`).
 */
async function lastWorkerOf(client: Client, id: string): Promise<number> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId: conversationWorkflowId(id) },
    maximumPageSize: EVENTS,
  });
  const completed = history?.events?.find((event) => event.workflowTaskCompletedEventAttributes);
  const identity = completed?.workflowTaskCompletedEventAttributes?.identity ?? '';
  return Number(/-(\d+)-[0-9a-f]+$/.exec(identity)?.[1] ?? Number.NaN);
}
