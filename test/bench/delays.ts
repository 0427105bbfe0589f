import { makeConversations, messageTo } from './cases/posting.ts';
import { load, quantile } from './load.ts';
import type { Product } from './product.ts';
import { runAt } from './soak/paced.ts';

/**
 * Lateness of delayed messages that share one due time, measured while other messages are posted.
 */
export interface Lateness {
  messages: number;
  /** Rate of the concurrent posts: half of the maximum rate, which is measured right before. */
  postsPerSecond: number;
  medianMs: number;
  lastMs: number;
}

/**
 * Measures the lateness of several products in turns, so that other load of the machine affects
 * them equally.
 */
export async function latenessInTurns(
  products: readonly { name: string; product: Product }[],
  rounds: number,
): Promise<(Lateness & { name: string })[]> {
  const measured: (Lateness & { name: string })[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const { name, product } of products) measured.push({ name, ...(await latenessOfDelayed(product)) });
  return measured;
}

const CONVERSATIONS = 100;
const EACH = 10;
/** Time until all delayed messages are due, long enough to post all of them before. */
const DUE_IN_MS = 20_000;
const SECONDS = 30;
const MAX_IN_FLIGHT = 200;

async function latenessOfDelayed(product: Product): Promise<Lateness> {
  const waiting = await makeConversations(product, CONVERSATIONS, product.organization);
  const busy = await makeConversations(product, CONVERSATIONS, product.organization);
  const post = (n: number) => product.send('POST', '/messages', messageTo(busy[n % busy.length], n));
  const { perSecond } = await load(post, { inFlight: 32, seconds: 5 });
  const posts = runAt(post, { rate: perSecond / 2, seconds: SECONDS, most: MAX_IN_FLIGHT });
  const due = Date.now() + DUE_IN_MS;
  for (const conversation of waiting) {
    const delay = due - Date.now();
    const messages = Array.from({ length: EACH }, (_, n) => ({ role: 'agent', text: `due ${n}`, delay }));
    await product.send('POST', `/conversations/${conversation}/messages`, messages);
  }
  const { failures } = await posts;
  if (failures.length > 0) throw new Error(`${failures.length} posts failed, first ${failures[0]}`);
  const late: number[] = [];
  for (const conversation of waiting) late.push(...(await latenessIn(product, conversation)));
  return {
    messages: late.length,
    postsPerSecond: perSecond / 2,
    medianMs: quantile(late, 0.5),
    lastMs: Math.max(...late),
  };
}

async function latenessIn(product: Product, conversation: string): Promise<number[]> {
  const messages = (await product.call(
    'GET',
    `/messages?conversation=${conversation}&select=delay,createdAt,processedAt&limit=100`,
  )) as { delay?: number; createdAt: string; processedAt: string }[];
  const delayed = messages.flatMap(({ delay, createdAt, processedAt }) =>
    delay ? [Date.parse(processedAt) - Date.parse(createdAt) - delay] : [],
  );
  if (delayed.length !== EACH)
    throw new Error(`${conversation}: ${delayed.length} of ${EACH} were processed`);
  return delayed;
}
