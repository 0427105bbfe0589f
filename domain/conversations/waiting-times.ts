import type { Change } from './change.ts';
import type { ConversationState, FirstTimes } from './conversation.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';

export function setFirstTimes(next: ConversationState, before: ConversationState, change: Change): void {
  const { at } = change;
  // A message of a timer does not count as a reply.
  if (change.kind === 'processed' && change.caller.origin !== 'timer')
    setSpeakingTimes(next, change.message, at);
  const isTaken = next.participants !== before.participants && !next.acceptedAt;
  if (isTaken && next.participants.some(({ accepted }) => accepted)) next.acceptedAt = at;
  if (next.status === 'closed' && before.status !== 'closed') next.closedAt ??= at;
}

type Processed = Extract<Change, { kind: 'processed' }>;

function setSpeakingTimes(
  next: ConversationState,
  { type, role, isBackchannel }: Processed['message'],
  at: string,
): void {
  if (isBackchannel || !SPOKEN_TYPES.includes(type)) return;
  if (role === 'contact') next.firstContactAt ??= at;
  else if (role !== 'system' && next.firstContactAt) next.firstReplyAt ??= at;
}

export const WAITS = ['accept', 'firstReply', 'close'] as const;
export type Wait = (typeof WAITS)[number];

export interface EndedWait {
  wait: Wait;
  ms: number;
}

/** Returns the waits that end between two states. */
export function endedWaits(base: ConversationState, next: ConversationState): EndedWait[] {
  const before = waitingTimes(base);
  const after = waitingTimes(next);
  return WAITS.flatMap((wait) => {
    const ms = after[wait];
    return ms === undefined || before[wait] !== undefined ? [] : { wait, ms };
  });
}

/** Returns the waiting times in milliseconds, without waits that have not ended (spec 5.15). */
export function waitingTimes({
  createdAt,
  firstContactAt,
  firstReplyAt,
  acceptedAt,
  closedAt,
}: FirstTimes<string | Date> & { createdAt: string | Date }): Partial<Record<Wait, number>> {
  const since = (end: string | Date): number => {
    const written = firstContactAt && new Date(firstContactAt).getTime();
    const until = new Date(end).getTime();
    const start = written && written <= until ? written : new Date(createdAt).getTime();
    return Math.max(0, until - start);
  };
  return {
    ...(acceptedAt && { accept: since(acceptedAt) }),
    ...(firstReplyAt && { firstReply: since(firstReplyAt) }),
    ...(closedAt && { close: since(closedAt) }),
  };
}
