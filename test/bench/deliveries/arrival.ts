import { request } from 'undici';
import { load, quantile } from '../load.ts';
import { startProduct } from '../product.ts';
import { until } from '../programs.ts';
import { startBenchReceiver } from './receiver.ts';

const SECONDS = 15;

/**
 * Prints the time from the 201 of a post to the arrival of its webhook, and the deliveries per
 * second. For comparison, prints the rate of plain POST requests to the receiver.
 */
export async function throughTheProduct(): Promise<void> {
  const receiver = await startBenchReceiver();
  const body = JSON.stringify({ data: 'x'.repeat(1_500) });
  const plain = await load(
    async (n) => {
      const headers = { 'webhook-id': `plain-${n}` };
      await (await request(receiver.url, { method: 'POST', body, headers })).body.dump();
    },
    { inFlight: 16, seconds: 5 },
  );
  console.log(`a bare loop of posts, 16 in flight: ${plain.perSecond.toFixed(0)}/s`);
  const product = await startProduct();
  try {
    const params = { url: receiver.url, events: ['message.create.*'] };
    await product.call('POST', '/services', { name: 'bench', type: 'webhook', params });
    const conversations = await Promise.all(
      Array.from({ length: 16 }, () => product.call('POST', '/conversations', { name: 'bench' })),
    );
    for (const inFlight of [1, 16]) await measure(inFlight);
    async function measure(inFlight: number): Promise<void> {
      const acknowledged = new Map<string, number>();
      receiver.arrivedAt.clear();
      const posts = await load(
        async (n) => {
          const conversation = conversations[n % inFlight].id;
          const message = await product.call('POST', '/messages', { conversation, text: `${n}` });
          acknowledged.set(`${message.id}-1`, performance.now());
        },
        { inFlight, seconds: SECONDS },
      );
      await until(() => [...acknowledged.keys()].every((id) => receiver.arrivedAt.has(id)));
      const waits = [...acknowledged].map(([id, at]) => Math.max(0, (receiver.arrivedAt.get(id) ?? 0) - at));
      console.log(
        `${inFlight} in flight: ${posts.perSecond.toFixed(1)} posts and deliveries/s; 201 to arrival median ${quantile(waits, 0.5).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms`,
      );
    }
  } finally {
    await product.close();
    receiver.close();
  }
}
