export const MAX_AFTER_MS = 400 * 24 * 3600_000;
export const MIN_AFTER_MS = 1_000;

const DURATION = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?)$/;

/**
 * Returns milliseconds for an ISO 8601 duration of weeks, or of days, hours, minutes and seconds,
 * else undefined. Months and years have no fixed length.
 */
export function parseDuration(text: string): number | undefined {
  const parts = DURATION.exec(text)?.slice(1);
  if (!parts || !/\d/.test(text) || text.endsWith('T')) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part: string | undefined) =>
    Number(part ?? 0),
  );
  return Math.round((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000);
}

/** Returns milliseconds for the `after` of a timer, or undefined if it is invalid. */
export function parseAfter(after: number | string): number | undefined {
  const ms = typeof after === 'number' ? after : parseDuration(after);
  return ms !== undefined && ms >= MIN_AFTER_MS && ms <= MAX_AFTER_MS ? ms : undefined;
}
