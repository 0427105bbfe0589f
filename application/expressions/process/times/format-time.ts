import { timeError } from './fault.ts';
import { isZone, pictureParts } from './picture.ts';
import { zoneOffset } from './zone-offset.ts';

/** `$fromMillis` of JSONata, for a time that exists. */
export type NativeFormat = (millis: number, picture?: string, zone?: string) => string;

const ISO = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]';

/**
 * A time by a picture, as clocks of the zone show it. JSONata alone reads digits of the zone as one
 * number, so that `+05:00` is five minutes and `-0330` four and a half hours.
 */
export function formatTime(
  millis: number,
  { picture = ISO, zone = 'Z' }: { picture?: string | undefined; zone?: string | undefined },
  native: NativeFormat,
): string {
  if (Number.isNaN(new Date(millis).getTime())) throw timeError(`${millis} is no time in milliseconds.`);
  const offset = zoneOffset(zone, millis);
  const shifted = millis + offset;
  if (Number.isNaN(new Date(shifted).getTime())) throw timeError(`${millis} is no time in milliseconds.`);
  const parts = pictureParts(picture).map((part) =>
    isZone(part) ? offsetText(part.text, offset, native) : part.text,
  );
  return native(shifted, parts.join(''));
}

/** An offset as a marker of the zone shows it. JSONata misreads negative ones. */
function offsetText(marker: string, offset: number, native: NativeFormat): string {
  const minutes = Math.trunc(Math.abs(offset) / 60_000);
  const digits = Math.floor(minutes / 60) * 100 + (minutes % 60);
  const text = native(0, marker, String(digits).padStart(4, '0'));
  return offset < 0 && minutes > 0 ? text.replace('+', '-') : text;
}
