import { timeError, quoted, isZone, pictureParts } from './picture.ts';
import { offsetMinutes } from '../../../../domain/iso-time.ts';

export type NativeFormat = (millis: number, picture?: string, zone?: string) => string;

const ISO = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]';

/** Formats a shifted time as UTC: JSONata misreads offsets, `+05:00` as five minutes. */
export function formatTime(
  millis: number,
  { picture = ISO, zone = 'Z' }: { picture?: string | undefined; zone?: string | undefined },
  native: NativeFormat,
): string {
  if (Number.isNaN(new Date(millis).getTime())) throw timeError(`${millis} is not a time in milliseconds.`);
  const offset = zoneOffset(zone, millis);
  const shifted = millis + offset;
  if (Number.isNaN(new Date(shifted).getTime())) throw timeError(`${millis} is not a time in milliseconds.`);
  const parts = pictureParts(picture).map((part) =>
    isZone(part) ? offsetText(part.text, offset, native) : part.text,
  );
  return native(shifted, parts.join(''));
}

/** Adds the minus sign, because JSONata misreads negative offsets. */
function offsetText(marker: string, offset: number, native: NativeFormat): string {
  const minutes = Math.trunc(Math.abs(offset) / 60_000);
  const digits = Math.floor(minutes / 60) * 100 + (minutes % 60);
  const text = native(0, marker, String(digits).padStart(4, '0'));
  return offset < 0 && minutes > 0 ? text.replace('+', '-') : text;
}

const MAX_FORMATS = 50;
const LONG_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns milliseconds ahead of UTC. `zone` is an offset (`+05:30`, `-0330`, `Z`) or an IANA name.
 */
function zoneOffset(zone: string, millis: number): number {
  if (zone === 'Z') return 0;
  // JSONata reads an unsigned offset as east.
  const minutes = offsetMinutes(/^\d{4}$/.test(zone) ? `+${zone}` : zone);
  if (minutes !== undefined) return minutes * 60_000;
  const name = getFormat(zone)
    .formatToParts(millis)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = 0, minute = 0, seconds = 0] = LONG_OFFSET.exec(name ?? '') ?? [];
  const size = (Number(hours) * 3_600 + Number(minute) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -size : size;
}

function getFormat(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = createFormat(zone);
  const [oldest] = formats.keys();
  if (formats.size >= MAX_FORMATS && oldest !== undefined) formats.delete(oldest);
  formats.set(zone, format);
  return format;
}

function createFormat(zone: string): Intl.DateTimeFormat {
  const unknown = `There is no time zone ${quoted(zone)}. Give an offset such as "+02:00", or a name such as "Europe/Amsterdam".`;
  // Some versions of Node accept other spellings of offsets as zone names.
  if (!/^[A-Za-z]/.test(zone)) throw timeError(unknown);
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    throw timeError(unknown);
  }
}
