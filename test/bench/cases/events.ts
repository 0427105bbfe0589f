import type { Case } from '../case.ts';
import type { Product } from '../product.ts';
import { CONVERSATIONS, makeConversations, postsName } from './posting.ts';

const EXPRESSION = `{
  "conversation": conversation,
  "messages": [{ "type": "status", "text": "order " & order & " is " & $lowercase(state) & ", " & $sum(items.(price * count)) }]
}`;

/**
 * Returns a case that compares business events with plain posts. An expression turns each event
 * into a message.
 */
export async function eventCases(caller: Product): Promise<Case[]> {
  const { id } = await caller.call('POST', '/eventtypes', { name: 'bench.order' });
  await caller.call('PUT', `/eventtypes/${id}/jsonata`, EXPRESSION);
  const ids = await makeConversations(caller, CONVERSATIONS, caller.organization);
  const items = Array.from({ length: 10 }, (_, n) => ({ sku: `part-${n}`, price: n, count: 2 }));
  return [
    {
      name: 'events through JSONata, 8 in flight',
      inFlight: 8,
      floor: postsName(8),
      goal: { rate: 0.5, cpu: 2 },
      cpuMs: caller.cpuMs,
      work: (n) =>
        caller.send('POST', '/events/bench.order', {
          conversation: ids[n % ids.length],
          order: n,
          state: 'PAID',
          items,
        }),
    },
  ];
}
