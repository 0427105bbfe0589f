import type { AnswerTo } from '@parlance/client';
import { parseAfter } from '../../../domain/timers/duration.ts';
import { formatNumber } from '../language.ts';
import { KIND_WORDS } from '../records/texts.ts';
import { WORDS } from './texts.ts';

export type OwnedTimer = AnswerTo<'GET /organizations/{id}/timers'>[number];
export type Timer = Omit<OwnedTimer, 'organization'>;
type Hours = NonNullable<Timer['hours']>;
export type Day = Hours['week'][number]['days'][number];
export type Unit = keyof typeof WORDS.units;

const SECOND_MS = 1_000;

/** The largest first. */
export const UNITS: readonly (readonly [Unit, ms: number])[] = [
  ['weeks', 7 * 24 * 3_600 * SECOND_MS],
  ['days', 24 * 3_600 * SECOND_MS],
  ['hours', 3_600 * SECOND_MS],
  ['minutes', 60 * SECOND_MS],
  ['seconds', SECOND_MS],
];

export const DAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Returns the largest unit with a whole amount, or else seconds. */
export function splitDuration(ms: number): { amount: number; unit: Unit } {
  const [unit, unitMs] = UNITS.find(([, size]) => ms % size === 0) ?? (['seconds', SECOND_MS] as const);
  return { amount: ms / unitMs, unit };
}

/** Returns milliseconds, or undefined if `amount` is not a number. */
export function joinDuration(amount: string, unit: Unit): number | undefined {
  const unitMs = UNITS.find(([one]) => one === unit)?.[1] ?? SECOND_MS;
  const ms = Math.round(Number(amount) * unitMs);
  return amount.trim() === '' || !Number.isFinite(ms) ? undefined : ms;
}

export function formatDuration(ms: number): string {
  const { amount, unit } = splitDuration(ms);
  const shape = { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' } as const;
  return formatNumber(amount, { ...shape, useGrouping: false, maximumFractionDigits: 20 });
}

/** Returns an ISO 8601 duration, which a reader of the API understands at once. */
export function toIsoDuration(ms: number): string {
  const { amount, unit } = splitDuration(ms);
  const letter = unit.charAt(0).toUpperCase();
  return unit === 'weeks' || unit === 'days' ? `P${amount}${letter}` : `PT${amount}${letter}`;
}

/** A part with a kind is a value of the timer. */
interface Part {
  text: string;
  kind?: 'value' | 'event';
}

/** Returns the sentence of a timer in parts. `bot`: the name of its user. */
export function describeTimer({ when, after, event, only, hours }: Timer, bot: string): Part[] {
  const ms = parseAfter(after);
  const values: Readonly<Record<string, Part>> = {
    state: { text: WORDS.states[when], kind: 'value' },
    duration: { text: ms === undefined ? String(after) : formatDuration(ms), kind: 'value' },
    event: { text: event, kind: 'event' },
    bot: { text: bot, kind: 'value' },
    only: { text: only ? WORDS.onlyIn(describeOnly(only)) : '' },
    hours: { text: hours ? WORDS.within(describeHours(hours)) : '' },
  };
  const parts = WORDS.sentence.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? values[part] : { text: part }));
  return parts.filter((part) => part !== undefined && part.text !== '') as Part[];
}

export const ONLY = ['category', 'type', 'touchpoint'] as const;

function describeOnly(only: NonNullable<Timer['only']>): string {
  const parts = ONLY.map((name) => [name, only[name] ?? []] as const).filter(
    ([, values]) => values.length > 0,
  );
  return parts
    .map(
      ([name, values]) =>
        `${WORDS.onlyWords[name]} ${values.map((value) => nameValue(name, value)).join(WORDS.or)}`,
    )
    .join(', ');
}

/** Types of conversations have words, other values are names. */
export function nameValue(name: (typeof ONLY)[number], value: string): string {
  return (name === 'type' ? KIND_WORDS.options[value] : undefined) ?? value;
}

export function describeHours({ timeZone, week }: Hours): string {
  const rows = week.map(({ days, from, to }) => `${describeDays(days)} ${from}–${to}`);
  return [...rows, timeZone].join(', ');
}

const SHORTEST_RANGE = 3;

/** Formats three or more consecutive days as a range. */
export function describeDays(days: readonly Day[]): string {
  const open = DAYS.filter((day) => days.includes(day));
  if (open.length === DAYS.length) return WORDS.everyDay;
  const runs: Day[][] = [];
  for (const day of open) {
    const last = runs.at(-1);
    const isNext = last !== undefined && DAYS.indexOf(day) === DAYS.indexOf(last.at(-1) ?? day) + 1;
    if (isNext) last.push(day);
    else runs.push([day]);
  }
  return runs.map(describeRun).join(', ');
}

function describeRun(run: readonly Day[]): string {
  const names = run.map((day) => WORDS.days[day]);
  if (names.length < SHORTEST_RANGE) return names.join(', ');
  return `${names[0] ?? ''}–${names.at(-1) ?? ''}`;
}
