const DATE = String.raw`(\d{4})(?:-(\d\d)(?:-(\d\d)`;
const TIME = String.raw`(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?`;
const ISO = new RegExp(String.raw`^${DATE}${TIME}(Z|[+-]\d\d(?::?\d\d)?)?)?)?$`);
const OFFSET = /^([+-])(\d{1,2})(?::?(\d\d))?$/;

/**
 * Parses an ISO 8601 year, month, day or time, by default in UTC (spec 2.1). Returns epoch
 * milliseconds, NaN for an impossible time such as 30 February, and undefined for other texts.
 */
export function readIsoTime(text: string): number | undefined {
  const parts = ISO.exec(text);
  if (!parts) return undefined;
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = ''] =
    parts;
  const offset = parts[8] === undefined || parts[8] === 'Z' ? 0 : offsetMinutes(parts[8]);
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDay = time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day);
  // 24:00 is the end of the day.
  const isTime = Number(`${hour}${minute}${second}`) <= 240_000 && Number(minute) < 60 && Number(second) < 60;
  const isMidnight = hour !== '24' || /^0*$/.test(fraction);
  if (!isDay || !isTime || !isMidnight || offset === undefined) return Number.NaN;
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  return time.getTime() - offset * 60_000;
}

/** Returns minutes east of UTC for `+05:30`, `-0330` or `+2`, else undefined. */
export function offsetMinutes(text: string): number | undefined {
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -size : size;
}
