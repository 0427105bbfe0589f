import { DomainError } from '../domain/errors.ts';
import type { RecoveryTask } from '../platform/concurrency/recovery-task.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { claimDeparture, endDeparture, extendDeparture } from '../store/accounts/departures.ts';
import type { DepartureDocument } from '../store/accounts/departures.ts';
import { findAccount } from '../store/accounts/users.ts';
import { findHeldConversations } from '../store/conversations/find-conversations.ts';
import { newId } from '../store/queries/identifier.ts';
import { organizationsWithin } from '../store/queries/reach.ts';
import type { Conversations } from '../workflows/client/conversations.ts';

const MAX_AT_ONCE = 10;
const EXTEND_AFTER_MS = 20_000;

type Amending = Pick<Conversations, 'amend'>;

/** Queues the conversations that users hold and may not answer any more (spec 4.10). */
export function departuresTask(conversations: Amending): RecoveryTask<DepartureDocument> {
  return {
    name: 'queue the conversations of users who left',
    everyMs: 2_000,
    find: ({ size }) => claimDepartures(MAX_AT_ONCE - size()),
    key: ({ _id, dueAt }) => `${_id}-${String(dueAt.getTime())}`,
    recover: (departure) => endParticipations(departure, conversations),
    maxWaitMs: 2_000,
  };
}

async function claimDepartures(limit: number): Promise<DepartureDocument[]> {
  const claimed: DepartureDocument[] = [];
  while (claimed.length < limit) {
    const departure = await claimDeparture();
    if (!departure) break;
    claimed.push(departure);
  }
  return claimed;
}

async function endParticipations(departure: DepartureDocument, conversations: Amending): Promise<void> {
  const { _id: user, by } = departure;
  const sweep = newId();
  const kept = await findAnswerable(user);
  const tried = new Set<string>();
  const unchanged: string[] = [];
  let held: DepartureDocument | null = departure;
  for (;;) {
    const found = await findHeldConversations(user, { outside: kept, except: unchanged });
    if (found.length === 0) break;
    unchanged.push(...found.filter((conversation) => tried.has(conversation)));
    for (const conversation of found.filter((one) => !tried.has(one))) {
      held = await keepLease(held);
      if (!held) return;
      tried.add(conversation);
      const amendment = { id: `${sweep}-${conversation}`, by, effects: [{ kind: 'left' as const, user }] };
      await amendUnlessPaused(conversation, amendment, conversations);
    }
  }
  // Otherwise the lease ends by itself, and the unchanged conversations are tried again.
  if (unchanged.length === 0) await endDeparture(held);
}

async function keepLease(departure: DepartureDocument): Promise<DepartureDocument | null> {
  const isFresh = departure.dueAt.getTime() - storeNow() > EXTEND_AFTER_MS;
  return isFresh ? departure : extendDeparture(departure);
}

async function findAnswerable(id: string): Promise<string[]> {
  const user = await findAccount({ _id: id });
  return user && user.role !== 'viewer' ? organizationsWithin({ organization: user.organization }) : [];
}

async function amendUnlessPaused(
  conversation: string,
  amendment: Parameters<Conversations['amend']>[1],
  conversations: Amending,
): Promise<void> {
  try {
    await conversations.amend(conversation, amendment);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'paused')) throw error;
  }
}
