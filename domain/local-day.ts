const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Time zones differ from UTC by at most 14 hours. */
const MAX_OFFSET_MS = 15 * 60 * 60_000;

/** Returns the day, such as `2026-03-14`, of epoch milliseconds. */
export type LocalDay = (time: number) => string;

export function isTimeZone(name: string): boolean {
  return createFormat(name) !== undefined;
}

/** Returns undefined if `timeZone` is not an IANA time zone. Days begin at quarters of an hour. */
export function createLocalDay(timeZone: string): LocalDay | undefined {
  const format = createFormat(timeZone);
  if (!format) return undefined;
  const days = new Map<number, string>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    let day = days.get(quarter);
    if (day === undefined) {
      day = format.format(quarter * QUARTER_MS);
      days.set(quarter, day);
    }
    return day;
  };
}

// Node 20 rejects offsets such as +01:00, newer versions accept them.
function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  } catch {
    return undefined;
  }
}

/** Returns the first moment of a local day, or the first after it if the time zone skipped it. */
export function startOfLocalDay(utcMidnight: number, localDay: LocalDay): number {
  const day = new Date(utcMidnight).toISOString().slice(0, 10);
  let time = utcMidnight - MAX_OFFSET_MS;
  while (localDay(time) < day) time += QUARTER_MS;
  return time;
}

export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY_MS) {
    days.push(new Date(time).toISOString().slice(0, 10));
  }
  return days;
}
