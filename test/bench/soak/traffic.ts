import { makeConversations, messageTo, upserts } from '../cases/posting.ts';
import type { Caller } from '../caller.ts';
import { startBenchReceiver } from '../deliveries/receiver.ts';
import { until } from '../programs.ts';
import { MAX_CACHED_WORKFLOWS } from '../../../platform/config/processes.ts';

const CONVERSATIONS = 100;
/** Number of requests of which one is a read. The others are posts and new conversations. */
const ONE_READ_OF = 10;
const ONE_NEW_CONVERSATION_OF = 100;

/**
 * Typical traffic of a day: posts with one webhook delivery each, some new conversations, some
 * reads.
 */
export interface Traffic {
  work: (n: number) => Promise<void>;
  counts: { messages: number; arrived: () => number };
  /** The id of one of the conversations that get posts. */
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
  // First fills the workflow cache of the worker, so that memory is measured while the cache evicts
  // workflows.
  await makeConversations(caller, MAX_CACHED_WORKFLOWS - CONVERSATIONS, organization);
  const ids = await makeConversations(caller, CONVERSATIONS, organization);
  const newConversation = upserts(caller, organization);
  const counts = { messages: MAX_CACHED_WORKFLOWS, arrived: () => receiver.count };
  const idAt = (n: number) => ids[n % CONVERSATIONS] ?? '';
  return {
    counts,
    watched: idAt(1),
    async work(n) {
      // Selects the conversation by n / 10, because n would select only one conversation in ten.
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
