const DATE = String.raw`(\d{4})(?:-(\d\d)(?:-(\d\d)`;
const TIME = String.raw`(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?`;
const ISO = new RegExp(String.raw`^${DATE}${TIME}(Z|[+-]\d\d(?::?\d\d)?)?)?)?$`);
const OFFSET = /^([+-])(\d{1,2})(?::?(\d\d))?$/;

/** A text that has the form of an ISO 8601 time, and the time that it names. */
export interface IsoTime {
  /** NaN where there is no such time, such as 30 February or 25:70. */
  millis: number;
}

/**
 * Reads an ISO 8601 time: a year, month, day, or a day with a time; without offset it is UTC
 * (spec 2.1), whatever the zone of this machine. Undefined where the text has another form.
 */
export function readIsoTime(text: string): IsoTime | undefined {
  const parts = ISO.exec(text);
  if (!parts) return undefined;
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = ''] =
    parts;
  const offset = parts[8] === undefined || parts[8] === 'Z' ? 0 : offsetMinutes(parts[8]);
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDay = time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day);
  // 24:00 is the end of the day, also in JavaScript.
  const isTime = Number(`${hour}${minute}${second}`) <= 240_000 && Number(minute) < 60 && Number(second) < 60;
  const isMidnight = hour !== '24' || /^0*$/.test(fraction);
  if (!isDay || !isTime || !isMidnight || offset === undefined) return { millis: Number.NaN };
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  return { millis: time.getTime() - offset * 60_000 };
}

/**
 * Minutes east of UTC of an offset such as `+05:30`, `-0330` or `+2`; undefined for any other text.
 */
export function offsetMinutes(text: string): number | undefined {
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -size : size;
}
