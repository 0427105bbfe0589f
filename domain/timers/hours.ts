/** The days of a week in the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Opening hours (spec 14.2). `from` and `to` are local times; `to` may be `24:00`. */
export interface Hours {
  timeZone: string;
  week: { days: Weekday[]; from: string; to: string }[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Minutes since midnight. */
interface Stretch {
  from: number;
  to: number;
}

/** Returns minutes since midnight for `09:30` or `24:00`, else undefined. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= 24 * 60 ? minutes : undefined;
}

/** Returns the open milliseconds of a week without a change of the clocks. */
export function weeklyOpenMs(hours: Hours): number {
  const minutes = openStretches(hours)
    .flat()
    .map(({ from, to }) => to - from);
  return minutes.reduce((sum, one) => sum + one, 0) * MINUTE_MS;
}

/**
 * Returns the time at which `ms` of open time have passed since `since`. All times are epoch
 * milliseconds. Follows daylight saving time: an opening hour that the clocks skip does not count,
 * and a repeated hour counts twice. Returns undefined without any opening hours.
 */
export function addOpenTime(since: number, ms: number, hours: Hours): number | undefined {
  const week = openStretches(hours);
  const openMs = weeklyOpenMs(hours);
  if (openMs === 0) return undefined;
  const clock = createClock(hours.timeZone);
  let left = ms;
  let day = Math.floor((since + clock.offsetAt(since)) / DAY_MS) * DAY_MS;
  for (;;) {
    // Whole weeks are skipped at once, unless the clocks change in them or near them.
    while (left > openMs && day > since + DAY_MS && isEvenWeek(day, clock)) {
      left -= openMs;
      day += WEEK_MS;
    }
    for (const { from, to } of week[new Date(day).getUTCDay()] ?? []) {
      const begin = Math.max(since, clock.toEpoch(day + from * MINUTE_MS));
      const end = clock.toEpoch(day + to * MINUTE_MS);
      if (end <= begin) continue;
      if (end - begin >= left) return begin + left;
      left -= end - begin;
    }
    day += DAY_MS;
  }
}

function openStretches({ week }: Hours): Stretch[][] {
  return WEEKDAYS.map((day) => {
    const merged: Stretch[] = [];
    const open = week.filter(({ days }) => days.includes(day)).map(toStretch);
    for (const one of open.sort((a, b) => a.from - b.from)) {
      const last = merged.at(-1);
      if (last && one.from <= last.to) last.to = Math.max(last.to, one.to);
      else merged.push(one);
    }
    return merged;
  });
}

function toStretch({ from, to }: { from: string; to: string }): Stretch {
  return { from: parseTimeOfDay(from) ?? 0, to: parseTimeOfDay(to) ?? 0 };
}

interface Clock {
  /** Returns milliseconds east of UTC at an instant. */
  offsetAt: (epoch: number) => number;
  /** Returns the instant of a local time, which is given as if the time zone were UTC. */
  toEpoch: (local: number) => number;
}

function isEvenWeek(day: number, { offsetAt }: Clock): boolean {
  const offset = offsetAt(day - DAY_MS);
  return [2 * DAY_MS, 5 * DAY_MS, WEEK_MS + DAY_MS].every((later) => offsetAt(day + later) === offset);
}

/** Throws RangeError for an unknown time zone. */
function createClock(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (epoch: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(epoch).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epoch / 1000) * 1000;
  };
  return {
    offsetAt,
    // A skipped local time is the instant of the change. A repeated local time is the first one.
    toEpoch(local) {
      const offsets = [offsetAt(local - DAY_MS), offsetAt(local + DAY_MS)];
      const found = offsets.map((offset) => local - offset).filter((at) => at + offsetAt(at) === local);
      return found.length > 0 ? Math.min(...found) : findChange(local, offsetAt);
    },
  };
}

/** Returns the instant at which the clocks skip a local time. */
function findChange(local: number, offsetAt: Clock['offsetAt']): number {
  let before = local - DAY_MS;
  let after = local + DAY_MS;
  const offset = offsetAt(before);
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
