import { MAX_AFTER_MS, MIN_AFTER_MS, parseAfter } from '../../../domain/timers/duration.ts';
import { refuseField } from '../parts/refusals.ts';
import { joinDuration, splitDuration, toIsoDuration } from './sentence.ts';
import type { Timer, Unit } from './sentence.ts';
import { WORDS } from './texts.ts';

type Only = NonNullable<Timer['only']>;
export type Row = NonNullable<Timer['hours']>['week'][number];

/** The values of the form of a timer. Values that are hidden keep what was chosen. */
export interface Draft {
  name: string;
  when: Timer['when'];
  amount: string;
  unit: Unit;
  event: string;
  user: string;
  isNarrow: boolean;
  only: Required<Only>;
  hasHours: boolean;
  timeZone: string;
  week: Row[];
}

export const OFFICE: Row = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' };
const FIRST_MS = 10 * 60_000;

export function toDraft(timer: Timer | undefined, timeZone: string): Draft {
  const { name = '', when = 'queued', after = FIRST_MS, event = '', user = '', only, hours } = timer ?? {};
  const { amount, unit } = splitDuration(parseAfter(after) ?? FIRST_MS);
  return {
    ...{ name, when, amount: String(amount), unit, event, user },
    isNarrow: only !== undefined,
    only: { category: [], type: [], touchpoint: [], ...only },
    hasHours: hours !== undefined,
    timeZone: hours?.timeZone ?? timeZone,
    week: hours?.week ?? [OFFICE],
  };
}

/**
 * Keeps the fields of `before` that the form does not have, and its notation of an unchanged
 * duration. Throws ParlanceError for values whose refusal by the API would not be in the words of
 * the form.
 */
export function toTimer(draft: Draft, before: Timer | undefined): Timer {
  const { name, when, event, user, isNarrow, hasHours, timeZone, week } = draft;
  const { only: _, hours: __, ...others } = before ?? {};
  const only = pickOnly(draft.only);
  if (isNarrow && Object.keys(only).length === 0) throw refuseField('only', WORDS.refusals['only'] ?? '');
  return {
    ...others,
    ...{ name: name.trim(), when, after: toAfter(draft, before), event: event.trim(), user },
    ...(isNarrow ? { only } : {}),
    ...(hasHours ? { hours: { timeZone: timeZone.trim(), week } } : {}),
  };
}

function toAfter({ amount, unit }: Draft, before: Timer | undefined): Timer['after'] {
  const ms = joinDuration(amount, unit);
  if (ms === undefined || ms < MIN_AFTER_MS || ms > MAX_AFTER_MS)
    throw refuseField('after', WORDS.refusals['after'] ?? '');
  return before && parseAfter(before.after) === ms ? before.after : toIsoDuration(ms);
}

function pickOnly({ category, type, touchpoint }: Required<Only>): Only {
  return {
    ...(category.length > 0 ? { category } : {}),
    ...(type.length > 0 ? { type } : {}),
    ...(touchpoint.length > 0 ? { touchpoint } : {}),
  };
}
