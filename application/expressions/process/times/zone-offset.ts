import { offsetMinutes } from '../../../../domain/iso-time.ts';
import { quoted, timeError } from './fault.ts';

const MAX_FORMATS = 50;
const LONG_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Milliseconds that a zone is ahead of UTC at a time. `zone` is an offset (`+05:30`, `-0330`, `Z`)
 * or a name of the IANA time zone database (`Europe/Amsterdam`). Throws a fault for any other.
 */
export function zoneOffset(zone: string, millis: number): number {
  if (zone === 'Z') return 0;
  // JSONata takes an offset without sign as one to the east.
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
  // Some versions of Node take other spellings of offsets for names.
  if (!/^[A-Za-z]/.test(zone)) throw timeError(unknown);
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    throw timeError(unknown);
  }
}
