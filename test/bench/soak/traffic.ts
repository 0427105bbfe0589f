import { makeConversations, messageTo, upserts } from '../cases/posting.ts';
import type { Caller } from '../caller.ts';
import { startBenchReceiver } from '../deliveries/receiver.ts';
import { until } from '../programs.ts';
import { MAX_CACHED_WORKFLOWS } from '../../../platform/config/processes.ts';

const CONVERSATIONS = 100;
/** One read per this many requests. All other requests are lone posts. */
const ONE_READ_OF = 10;
const ONE_NEW_CONVERSATION_OF = 100;

/** Typical traffic of a day: posts with a webhook each, some new conversations, some reads. */
export interface Traffic {
  work: (n: number) => Promise<void>;
  counts: { messages: number; arrived: () => number };
  /** A conversation that gets its share of the posts. */
  watched: string;
  /** Resolves when all webhooks have arrived. */
  settled: () => Promise<void>;
  close: () => void;
}

export async function startTraffic(caller: Caller): Promise<Traffic> {
  const receiver = await startBenchReceiver({ remembers: false });
  const { id: organization } = await caller.call('POST', '/organizations', { name: 'soak' });
  const params = { url: receiver.url, events: ['message.create.*'] };
  await caller.call('POST', '/services', { name: 'soak', type: 'webhook', organization, params });
  // Fill the worker's workflow cache first, because its memory should be measured while it evicts.
  await makeConversations(caller, MAX_CACHED_WORKFLOWS - CONVERSATIONS, organization);
  const ids = await makeConversations(caller, CONVERSATIONS, organization);
  const newConversation = upserts(caller, organization);
  const counts = { messages: MAX_CACHED_WORKFLOWS, arrived: () => receiver.count };
  const idAt = (n: number) => ids[n % CONVERSATIONS] ?? '';
  return {
    counts,
    watched: idAt(1),
    async work(n) {
      // A remainder other than the posts' own, so that every conversation is read.
      if (n % ONE_READ_OF === 5) {
        await caller.send('GET', `/messages?conversation=${idAt(Math.floor(n / ONE_READ_OF))}&limit=50`);
        return;
      }
      if (n % ONE_NEW_CONVERSATION_OF === 7) await newConversation();
      else await caller.send('POST', '/messages', messageTo(idAt(n * 7), n));
      counts.messages += 1;
    },
    settled: () => until(() => receiver.count >= counts.messages),
    close: receiver.close,
  };
}
