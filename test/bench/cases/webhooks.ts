import { randomBytes } from 'node:crypto';
import type { Case, Extra } from '../case.ts';
import { startBenchReceiver } from '../deliveries/receiver.ts';
import type { BenchReceiver } from '../deliveries/receiver.ts';
import { quantile } from '../load.ts';
import type { Product } from '../product.ts';
import { until } from '../programs.ts';
import { CONVERSATIONS, makeConversations, messageTo, postsName } from './posting.ts';

const MAX_TIMES_THE_ANSWER = 1.2;

interface Posted {
  sentAt: number;
  answeredAt: number;
}

const CONCURRENCIES = [1, 32];

const withWebhook = (inFlight: number) => `lone posts with a webhook, ${inFlight} in flight`;

/**
 * Returns cases that send single posts to an organization whose webhook receives every message.
 * Each case is compared with the case of single posts without a webhook.
 */
export async function webhookCases(caller: Product): Promise<{ cases: Case[]; close: () => void }> {
  const receiver = await startBenchReceiver();
  const { id: organization } = await caller.call('POST', '/organizations', { name: 'with a webhook' });
  const ids = await makeConversations(caller, CONVERSATIONS, organization);
  const params = { url: receiver.url, events: ['message.create.*'] };
  await caller.call('POST', '/services', { name: 'bench', type: 'webhook', organization, params });
  const cases = CONCURRENCIES.map((inFlight): Case => {
    return {
      name: withWebhook(inFlight),
      inFlight,
      floor: postsName(inFlight),
      ...(inFlight === 1 ? {} : { goal: { rate: 0.92 } }),
      cpuMs: caller.cpuMs,
      ...arrivingPosts(caller, { receiver, ids }),
    };
  });
  return { cases, close: receiver.close };
}

/** The CPU of a message that a channel carries, at most, relative to a message with a webhook. */
const MAX_CARRIED_CPU = 1.3;

/**
 * Returns cases that send single posts to an organization whose channel carries every message. Each
 * case is compared with the case of single posts with a webhook.
 */
export async function channelCases(caller: Product): Promise<{ cases: Case[]; close: () => void }> {
  const receiver = await startBenchReceiver();
  const ids = await makeChats(caller, receiver);
  const cases = CONCURRENCIES.map((inFlight): Case => {
    return {
      name: `lone posts by a channel, ${inFlight} in flight`,
      inFlight,
      floor: withWebhook(inFlight),
      ...(inFlight === 1 ? {} : { goal: { cpu: MAX_CARRIED_CPU } }),
      cpuMs: caller.cpuMs,
      ...arrivingPosts(caller, { receiver, ids }),
    };
  });
  return { cases, close: receiver.close };
}

/** Creates conversations of contacts who have written by a channel. */
async function makeChats({ call }: Product, { url }: BenchReceiver): Promise<string[]> {
  const { id: organization } = await call('POST', '/organizations', { name: 'with a channel' });
  const params = { url, secret: `whsec_${randomBytes(24).toString('base64')}`, touchpoint: 'sms' };
  const { id: service } = await call('POST', '/services', { name: 'SMS', type: 'api', organization, params });
  const ids: string[] = [];
  for (let at = 0; at < CONVERSATIONS; at += 1) {
    const identity = { service, id: `+3164${1_000_000 + at}` };
    const first = { text: 'hello', role: 'contact', touchpoint: 'sms', service };
    const made = { organization, contact: { identity }, messages: [first] };
    ids.push((await call('POST', '/conversations', made)).id as string);
  }
  return ids;
}

function arrivingPosts(
  { call }: Product,
  { receiver, ids }: { receiver: BenchReceiver; ids: readonly string[] },
): Pick<Case, 'work' | 'after'> {
  const posted = new Map<string, Posted>();
  return {
    async work(n) {
      const sentAt = performance.now();
      const { id } = await call('POST', '/messages', messageTo(ids[n % ids.length], n));
      posted.set(`${id}-1`, { sentAt, answeredAt: performance.now() });
    },
    after: () => arrivals(posted, receiver),
  };
}

/**
 * Waits for all webhooks of a round. Returns the median time from post to arrival, and the ratio of
 * this median to the median response time of the posts.
 */
async function arrivals(posted: Map<string, Posted>, receiver: BenchReceiver): Promise<Extra[]> {
  await until(() => [...posted.keys()].every((event) => receiver.arrivedAt.has(event)));
  const answers = [...posted.values()].map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const comings = [...posted].map(([event, { sentAt }]) => (receiver.arrivedAt.get(event) ?? 0) - sentAt);
  posted.clear();
  receiver.arrivedAt.clear();
  const [answer, arrival] = [quantile(answers, 0.5), quantile(comings, 0.5)];
  return [
    { name: 'arrival p50 ms', value: arrival },
    { name: 'arrival p50 / answer p50', value: arrival / answer, atMost: MAX_TIMES_THE_ANSWER },
  ];
}
