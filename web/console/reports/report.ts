import type { AnswerTo } from '@parlance/client';
import { formatNumber } from '../language.ts';
import { refuseField } from '../parts/refusals.ts';
import { words } from './texts.ts';

export type Report = AnswerTo<'GET /organizations/{id}/report'>;

export const WAITS = ['accept', 'firstReply', 'close'] as const;

const AGENT_WAITS = ['firstReply', 'close'] as const;

/** Days such as `2026-11-27`, both inclusive. */
export interface DayRange {
  from: string;
  until: string;
}

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
/** See spec 5.16. */
const MAX_DAYS = 400;

export function lastDays(days: number, now = new Date()): DayRange {
  const until = formatDay(now);
  return { from: addDays(until, 1 - days), until };
}

/** Without days in the address, the last 30 days. */
export function readRange({ from, until }: Readonly<Record<string, string>>, now?: Date): DayRange {
  const last = lastDays(DEFAULT_DAYS, now);
  return { from: from ?? last.from, until: until ?? last.until };
}

export function findRangeProblem({ from, until }: DayRange): Error | undefined {
  if (!isDay(from)) return refuseField('since', words.notADay);
  if (!isDay(until)) return refuseField('until', words.notADay);
  if (from > until) return refuseField('since', words.backwards);
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1;
  return days > MAX_DAYS ? refuseField('since', words.tooLong(MAX_DAYS)) : undefined;
}

/** The API takes the day after the last one. */
export function toReportQuery({ from, until }: DayRange): { since: string; until: string } {
  return { since: from, until: addDays(until, 1) };
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the local day. */
function formatDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

const UNITS: readonly [name: string, ms: number][] = [
  ['day', DAY_MS],
  ['hour', DAY_MS / 24],
  ['minute', 60_000],
  ['second', 1_000],
];

/** Returns the two largest units of a wait, such as `1 hr 5 min`. */
export function formatSpan(ms: number): string {
  const at = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  if (at < 0) return format(ms < 1 ? 0 : 1, 'second', ms < 1 ? '' : '< ');
  let rest = ms;
  const parts = UNITS.slice(at, at + 2).flatMap(([unit, unitMs]) => {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    return count === 0 ? [] : [format(count, unit)];
  });
  return parts.join(' ');
}

function format(count: number, unit: string, before = ''): string {
  return `${before}${formatNumber(count, { style: 'unit', unit, unitDisplay: 'short' })}`;
}

const SECOND_MS = 1_000;

/** All figures of the report in one table. */
export function buildCsv(report: Report): string {
  const { groups } = words;
  const seconds = (ms: number | null) => (ms === null ? '' : String(Math.round(ms / SECOND_MS)));
  const counted = (group: string, some: readonly { name: string; conversations: number }[]) =>
    some.map(({ name, conversations }) => [group, name, conversations, '', '']);
  const { average, values } = report.ratings;
  const rows = [
    words.columns,
    [groups.total, '', report.conversations, '', ''],
    ...report.days.map(({ day, conversations }) => [groups.day, day, conversations, '', '']),
    ...Object.entries(report.statuses).map(([name, count]) => [groups.status, name, count, '', '']),
    ...counted(groups.category, report.categories),
    ...counted(groups.channel, report.touchpoints),
    ...WAITS.map((wait) => {
      const { conversations, median, p90 } = report.times[wait];
      return [groups.wait, wait, conversations, seconds(median), seconds(p90)];
    }),
    ...values.map(({ rating, conversations }) => [groups.rating, rating, conversations, '', '']),
    ...report.agents.flatMap(({ name = '', conversations, replies, times, ratings }) => [
      [groups.agentTaken, name, conversations, '', ''],
      [groups.agentReplies, name, replies, '', ''],
      ...AGENT_WAITS.map((wait) => {
        const { conversations: ended, median, p90 } = times[wait];
        return [groups.agentWait[wait], name, ended, seconds(median), seconds(p90)];
      }),
      ...(ratings.average === null ? [] : [[groups.agentRating, name, ratings.average, '', '']]),
    ]),
    ...Object.entries(report.replies).map(([name, count]) => [groups.replies, name, count, '', '']),
    ...report.failures.services.map(({ name = '', deliveries }) => [
      groups.failures,
      name,
      deliveries,
      '',
      '',
    ]),
    ...(average === null ? [] : [[groups.averageRating, average, report.ratings.conversations, '', '']]),
  ];
  return rows.map((row) => row.map((value) => quoteCell(String(value))).join(',')).join('\r\n') + '\r\n';
}

/** A spreadsheet would run a name that begins like a formula. */
function quoteCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
