import { FRESH_PARTICIPANT, MAX_PARTICIPANTS } from './conversation.ts';
import type { ConversationState, Participant } from './conversation.ts';
import { MAX_META_BYTES, jsonBytes } from '../free-form.ts';
import { unprocessable } from '../errors.ts';
import { MAX_LABELS } from './labels.ts';

interface StateLimit {
  field: keyof ConversationState;
  max: number;
  unit: string;
  size: (value: unknown) => number;
}

export const MAX_CATEGORY_CHARACTERS = 200;

/** With the loop counters, the state stays below 160,000 bytes. */
const BOUNDS: readonly StateLimit[] = [
  { field: 'name', max: 500, unit: 'characters of name', size: getLength },
  { field: 'category', max: MAX_CATEGORY_CHARACTERS, unit: 'characters of category', size: getLength },
  { field: 'language', max: 35, unit: 'characters of language', size: getLength },
  { field: 'meta', max: MAX_META_BYTES, unit: 'bytes of meta as JSON', size: jsonBytes },
  { field: 'participants', max: MAX_PARTICIPANTS, unit: 'participants', size: getLength },
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
  { field: 'labels', max: MAX_LABELS, unit: 'labels', size: getLength },
  { field: 'pending', max: 500, unit: 'delayed messages waiting', size: getLength },
];

/**
 * Throws DomainError `unprocessable` if a field grows above its bound. A field already above its
 * bound may stay.
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

// Leaves out counters: a message that only increases a counter must not exceed the bound.
function bytesWithoutCounters(value: unknown): number {
  return jsonBytes((value as Participant[]).map((participant) => ({ ...participant, ...FRESH_PARTICIPANT })));
}
