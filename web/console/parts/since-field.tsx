import { TEXTS } from '../texts.ts';
import { TextField } from './fields.tsx';

const HOUR_MS = 3_600_000;

interface Props {
  hours: string;
  set: (hours: string) => void;
}

/** Where a request begins: a number of hours ago, sent as `since`. */
export function SinceField({ hours, set }: Props) {
  return (
    <TextField label={TEXTS.webhooks.hours} path="since" type="number" required value={hours} set={set} />
  );
}

/** Returns the time so many hours ago, ISO 8601. */
export function timeBefore(hours: string): string {
  return new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
}
