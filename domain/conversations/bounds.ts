import { FRESH_PARTICIPANT } from './conversation.ts';
import type { ConversationState, Participant } from './conversation.ts';
import { MAX_META_BYTES, jsonBytes } from '../free-form.ts';
import { unprocessable } from '../errors.ts';

interface StateLimit {
  field: keyof ConversationState;
  max: number;
  /** What is counted, in a caller's words. */
  unit: string;
  size: (value: unknown) => number;
}

/** The most characters of a category, where an organization lists it and in a conversation. */
export const MAX_CATEGORY_CHARACTERS = 200;

/**
 * The most a conversation holds. Together with the loop counters, which bound themselves, it stays
 * below 160,000 bytes whatever callers do, so that it can be carried from run to run of its
 * workflow.
 */
const BOUNDS: readonly StateLimit[] = [
  { field: 'name', max: 500, unit: 'characters of name', size: getLength },
  { field: 'category', max: MAX_CATEGORY_CHARACTERS, unit: 'characters of category', size: getLength },
  { field: 'language', max: 35, unit: 'characters of language', size: getLength },
  { field: 'meta', max: MAX_META_BYTES, unit: 'bytes of meta as JSON', size: jsonBytes },
  { field: 'participants', max: 100, unit: 'participants', size: getLength },
  {
    field: 'participants',
    max: 24 * 1024,
    unit: 'bytes of participants as JSON',
    size: bytesWithoutCounters,
  },
  { field: 'channels', max: 8 * 1024, unit: 'bytes of channels as JSON', size: jsonBytes },
  { field: 'channelsOffline', max: 8 * 1024, unit: 'bytes of channelsOffline as JSON', size: jsonBytes },
  { field: 'touchpoints', max: 8 * 1024, unit: 'bytes of touchpoints as JSON', size: jsonBytes },
  { field: 'forms', max: 24 * 1024, unit: 'bytes of open forms as JSON', size: jsonBytes },
  { field: 'pending', max: 500, unit: 'delayed messages waiting', size: getLength },
];

/**
 * Throws DomainError `unprocessable`, naming the bound, where the state after a change holds more
 * than it may and more than before: what is too large already may shrink, and does not get in the
 * way of anything else. `before` null: there was nothing.
 */
export function assertBoundedGrowth(before: ConversationState | null, after: ConversationState): void {
  for (const { field, max, unit, size } of BOUNDS) {
    const [was, is] = [before?.[field], after[field]];
    if (was === is || is === undefined) continue;
    const now = size(is);
    if (now > max && (was === undefined || now > size(was))) {
      throw unprocessable(`A conversation holds at most ${max} ${unit}.`);
    }
  }
}

function getLength(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

// Counts and flags change with every message; their digits must never be what a message is refused
// for.
function bytesWithoutCounters(value: unknown): number {
  return jsonBytes((value as Participant[]).map((participant) => ({ ...participant, ...FRESH_PARTICIPANT })));
}
