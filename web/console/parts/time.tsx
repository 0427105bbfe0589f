import { useState } from 'preact/hooks';
import { useEvery } from '../use-query.ts';

const MINUTE_MS = 60_000;
const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
];

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

export function Time({ at }: { at: string }) {
  const [, setNow] = useState(0);
  useEvery(MINUTE_MS, () => setNow(Date.now()));
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {formatRelative(new Date(at).getTime() - Date.now())}
    </time>
  );
}

export function formatRelative(ms: number): string {
  let amount = ms / 1000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(amount) < size) return RELATIVE.format(Math.round(amount), unit);
    amount /= size;
  }
  return RELATIVE.format(Math.round(amount), 'year');
}

const NARROW: readonly [number, string][] = [
  [60, 'minute'],
  [24, 'hour'],
  [Infinity, 'day'],
];

/** The time since `since`, such as `12m`. */
export function Wait({ since }: { since: string }) {
  const [, setNow] = useState(0);
  useEvery(MINUTE_MS, () => setNow(Date.now()));
  return (
    <time dateTime={since} title={new Date(since).toLocaleString()}>
      {formatWait(Date.now() - Date.parse(since))}
    </time>
  );
}

export function formatWait(ms: number): string {
  let amount = Math.max(0, ms / MINUTE_MS);
  for (const [size, unit] of NARROW) {
    if (amount < size)
      return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
        Math.floor(amount),
      );
    amount /= size;
  }
  return '';
}
