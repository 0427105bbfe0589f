import { DomainError } from '../../domain/errors.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';

const MAX_UNDER_WAY = 64;
const MAX_WAITING = 400;
const MAX_WAIT_MS = 10_000;
/** Work that would wait longer is refused at once. */
const MAX_EXPECTED_MS = 5_000;

/** Expected milliseconds of work that each node below the root may run at once. */
const WORK_MS = 4_000;
const MIN_AT_ONCE = 2;
/** Cost assumed until a node's first run ends. */
const UNKNOWN_MS = 500;
/** Cost estimates rise at once, and fall by this part of the difference. */
const FALLS_BY = 1 / 8;
const MAX_KNOWN = 10_000;

/**
 * Creates a queue for expensive work (docs/decisions/event-admission.md), which refuses work with
 * DomainError `rate_limited` before any effect.
 */
export function createAdmissionQueue(): FairScheduler {
  /** Milliseconds by node. */
  const costs = lruMap<string, number>(MAX_KNOWN);
  const maxAtOnce = (node: string) =>
    Math.max(MIN_AT_ONCE, WORK_MS / Math.max(1, costs.peek(node) ?? UNKNOWN_MS));
  const expectedMs = (end: string | undefined, ahead: number) => ahead * (costs.peek(end ?? '') ?? 0);
  return new FairScheduler({
    max: MAX_UNDER_WAY,
    // The root has no such limit, because all tenants share it.
    mayStart: (path, running) => path.slice(1).every((node) => running.of(node) < maxAtOnce(node)),
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    isRefused: (path, ahead) => expectedMs(path.at(-1), ahead) > MAX_EXPECTED_MS,
    refusal: (path, ahead) => overloadError(expectedMs(path.at(-1), ahead)),
    noteCost(path, costMs) {
      for (const node of path) {
        const before = costs.peek(node) ?? costMs;
        costs.set(node, costMs > before ? costMs : before + (costMs - before) * FALLS_BY);
      }
    },
  });
}

function overloadError(expectedMs: number): DomainError {
  return new DomainError(
    'rate_limited',
    'Your organization has too many slow requests of this kind under way. Nothing was stored; try again later.',
    { retryAfterSeconds: Math.max(1, Math.ceil(expectedMs / 1_000)) },
  );
}
