import { FRESH_PARTICIPANT } from './conversation.ts';
import type { ConversationState, Participant } from './conversation.ts';
import { MAX_META_BYTES, jsonBytes } from '../free-form.ts';
import { unprocessable } from '../refusal.ts';

interface Bound {
  field: keyof ConversationState;
  most: number;
  /** What is counted, in a caller's words. */
  unit: string;
  size: (value: unknown) => number;
}

/**
 * The most a conversation holds. Together with the loop counters, which bound themselves, it stays
 * below 160,000 bytes whatever callers do, so that it can be carried from run to run of its
 * workflow.
 */
const BOUNDS: readonly Bound[] = [
  { field: 'name', most: 500, unit: 'characters of name', size: lengthOf },
  { field: 'category', most: 200, unit: 'characters of category', size: lengthOf },
  { field: 'language', most: 35, unit: 'characters of language', size: lengthOf },
  { field: 'meta', most: MAX_META_BYTES, unit: 'bytes of meta as JSON', size: jsonBytes },
  { field: 'participants', most: 100, unit: 'participants', size: lengthOf },
  { field: 'participants', most: 24 * 1024, unit: 'bytes of participants as JSON', size: lastingBytes },
  { field: 'channels', most: 8 * 1024, unit: 'bytes of channels as JSON', size: jsonBytes },
  { field: 'channelsOffline', most: 8 * 1024, unit: 'bytes of channelsOffline as JSON', size: jsonBytes },
  { field: 'touchpoints', most: 8 * 1024, unit: 'bytes of touchpoints as JSON', size: jsonBytes },
  { field: 'forms', most: 24 * 1024, unit: 'bytes of open forms as JSON', size: jsonBytes },
  { field: 'pending', most: 500, unit: 'delayed messages waiting', size: lengthOf },
];

/**
 * Throws DomainError `unprocessable`, naming the bound, where the state after a change holds more
 * than it may and more than before: what is too large already may shrink, and does not get in the
 * way of anything else. `before` null: there was nothing.
 */
export function refuseGrowth(before: ConversationState | null, after: ConversationState): void {
  for (const { field, most, unit, size } of BOUNDS) {
    const [was, is] = [before?.[field], after[field]];
    if (was === is || is === undefined) continue;
    const now = size(is);
    if (now > most && (was === undefined || now > size(was))) {
      throw unprocessable(`A conversation holds at most ${most} ${unit}.`);
    }
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

// Counts and flags change with every message; their digits must never be what a message is refused
// for.
function lastingBytes(value: unknown): number {
  return jsonBytes((value as Participant[]).map((participant) => ({ ...participant, ...FRESH_PARTICIPANT })));
}
