import type { Case } from '../case.ts';
import type { Caller } from '../caller.ts';
import type { Product } from '../product.ts';
import { CONCURRENCIES, durableEchoName, echoName } from './echo.ts';

export const CONVERSATIONS = 200;

export const postsName = (inFlight: number) => `lone posts, ${inFlight} in flight`;

/**
 * Creates conversations with one message each, so that their workflows run. `count` must be a
 * multiple of ten.
 */
export async function makeConversations(
  { call }: Caller,
  count: number,
  organization: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 10) {
    const made = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { id } = await call('POST', '/conversations', { name: 'bench', organization });
        await call('POST', '/messages', { conversation: id, role: 'agent', text: 'the first' });
        return id as string;
      }),
    );
    ids.push(...made);
  }
  return ids;
}

export function messageTo(conversation: string | undefined, n: number) {
  return { conversation, role: 'agent', text: `message ${n}` };
}

/**
 * Returns cases for posts to many conversations, posts to one conversation, and new conversations
 * with new contacts.
 */
export async function postingCases(caller: Product): Promise<Case[]> {
  const { organization, cpuMs } = caller;
  const ids = await makeConversations(caller, CONVERSATIONS, organization);
  const [hot] = await makeConversations(caller, 10, organization);
  const goals = new Map([
    [1, { p50: 1.5 }],
    [32, { rate: 0.7 }],
  ]);
  const posts = CONCURRENCIES.map((inFlight): Case => {
    const goal = goals.get(inFlight);
    return {
      name: postsName(inFlight),
      inFlight,
      floor: durableEchoName(inFlight),
      ...(goal ? { goal } : {}),
      cpuMs,
      work: (n) => caller.send('POST', '/messages', messageTo(ids[n % ids.length], n)),
    };
  });
  return [
    ...posts,
    {
      name: 'one hot conversation, 32 in flight',
      inFlight: 32,
      floor: echoName(32),
      goal: { rate: 7 },
      cpuMs,
      work: (n) => caller.send('POST', '/messages', messageTo(hot, n)),
    },
    {
      name: 'new conversations, 32 in flight',
      inFlight: 32,
      floor: echoName(32),
      goal: { rate: 0.35, spread: 2.5 },
      cpuMs,
      work: upserts(caller, organization),
    },
  ];
}

/** Returns a function that creates a conversation with a new contact per call. */
export function upserts(caller: Caller, organization: string): () => Promise<void> {
  let contacts = 0;
  return () => {
    contacts += 1;
    return caller.send('POST', '/conversations', {
      ...{ organization, type: 'contact' },
      contact: { profile: { email: `contact-${contacts}@bench.example` } },
      messages: [{ type: 'chat', role: 'contact', text: 'hello' }],
    });
  };
}
