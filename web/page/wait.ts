const FIRST_MS = 500;
const MAX_MS = 10_000;

/**
 * How long to wait before try number `failures` + 1, in milliseconds: longer each time, and not the
 * same for all who lost the server at once.
 */
export function waitMs(failures: number): number {
  const whole = Math.min(MAX_MS, FIRST_MS * 2 ** failures);
  return whole * (0.75 + Math.random() / 2);
}
