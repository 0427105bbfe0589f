import { useState } from 'preact/hooks';
import { LOCALE } from '../language.ts';
import { useEvery } from '../use-query.ts';
import { formatRelative, formatWait } from './relative-time.ts';

const MINUTE_MS = 60_000;

export function Time({ at }: { at: string }) {
  const [, setNow] = useState(0);
  useEvery(MINUTE_MS, () => setNow(Date.now()));
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toLocaleString(LOCALE)}>
      {formatRelative(time)}
    </time>
  );
}

/** The time since `since`, such as `12m`. */
export function Wait({ since }: { since: string }) {
  const [, setNow] = useState(0);
  useEvery(MINUTE_MS, () => setNow(Date.now()));
  return (
    <time dateTime={since} title={new Date(since).toLocaleString(LOCALE)}>
      {formatWait(Date.now() - Date.parse(since))}
    </time>
  );
}
