import { LOCALE, formatNumber } from '../language.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/** Returns a text such as `5 min. ago`. Days are local days. */
export function formatRelative(at: Date, now = new Date()): string {
  const ms = at.getTime() - now.getTime();
  const texts = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
  const format = (amount: number, unit: Intl.RelativeTimeFormatUnit) =>
    texts.format(Math.trunc(amount), unit);
  const size = Math.abs(ms);
  if (size < MINUTE_MS) return format(ms / 1_000, 'second');
  if (size < HOUR_MS) return format(ms / MINUTE_MS, 'minute');
  if (size < DAY_MS) return format(ms / HOUR_MS, 'hour');
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS);
  if (Math.abs(days) < MONTH_DAYS) return format(days, 'day');
  if (Math.abs(days) < YEAR_DAYS) return format(days / MONTH_DAYS, 'month');
  return format(days / YEAR_DAYS, 'year');
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

const NARROW: readonly [number, string][] = [
  [60, 'minute'],
  [24, 'hour'],
  [Infinity, 'day'],
];

/** Returns a text such as `12m`. */
export function formatWait(ms: number): string {
  let amount = Math.max(0, ms / MINUTE_MS);
  for (const [size, unit] of NARROW) {
    if (amount < size)
      return formatNumber(Math.floor(amount), { style: 'unit', unit, unitDisplay: 'narrow' });
    amount /= size;
  }
  return '';
}
