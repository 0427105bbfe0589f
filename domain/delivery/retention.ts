const DAY_MS = 24 * 3600 * 1000;
const KEPT_MS = 30 * DAY_MS;

/**
 * When a delivery or a business event that is done at `finishedAt` is removed (spec 7.10 says it of
 * deliveries).
 */
export function computeExpiry(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + KEPT_MS);
}
