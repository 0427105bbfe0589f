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
  const cases = [1, 32].map((inFlight): Case => {
    const posted = new Map<string, Posted>();
    return {
      name: `lone posts with a webhook, ${inFlight} in flight`,
      inFlight,
      floor: postsName(inFlight),
      ...(inFlight === 1 ? {} : { goal: { rate: 0.92 } }),
      cpuMs: caller.cpuMs,
      async work(n) {
        const sentAt = performance.now();
        const { id } = await caller.call('POST', '/messages', messageTo(ids[n % ids.length], n));
        posted.set(`${id}-1`, { sentAt, answeredAt: performance.now() });
      },
      after: () => arrivals(posted, receiver),
    };
  });
  return { cases, close: receiver.close };
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
