import { DomainError } from '../../domain/errors.ts';
import { hasFairShare, createUsage } from '../../domain/limits/shares.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';
import { createFairQueue } from '../../application/expressions/fair-queue.ts';

const MAX_UNDER_WAY = 64;
const MAX_WAITING = 400;
const MAX_WAIT_MS = 10_000;
/** A longer expected wait is rejected immediately. */
const MAX_EXPECTED_MS = 5_000;

export interface AdmissionSlot {
  /** Further calls have no effect. */
  release: (costMs?: number) => void;
}

/** Admits expensive work (docs/decisions/event-admission.md). */
export interface AdmissionQueue {
  /**
   * Resolves when the tenant path gets a slot. Rejects with DomainError `rate_limited` before
   * any effect if too much of its work runs or waits.
   */
  enter: (line: TenantPath) => Promise<AdmissionSlot>;
}

interface QueuedEntry {
  line: TenantPath;
  enter: () => void;
}

export function createAdmissionQueue(): AdmissionQueue {
  const costs = createCosts();
  const underWay = createUsage();
  const queue = createFairQueue<QueuedEntry>(MAX_WAITING);

  // All tenants share the root.
  const isBounded = (line: TenantPath) =>
    line.slice(1).every((node) => underWay.of(node) < costs.maxAtOnce(node));
  const mayEnter = (line: TenantPath) => isBounded(line) && hasFairShare(line, underWay, MAX_UNDER_WAY);

  function admitNext(): void {
    for (let next = queue.next(mayEnter); next; next = queue.next(mayEnter)) {
      underWay.add(next.line, 1);
      next.enter();
    }
  }

  const takeSlot = (line: TenantPath) =>
    createSlot((costMs) => {
      underWay.add(line, -1);
      if (costMs !== undefined) for (const node of line) costs.note(node, costMs);
      admitNext();
    });

  return {
    enter(line) {
      const end = getLastNode(line);
      const expectedMs = (underWay.of(end) + queue.waiting(end)) * costs.of(end);
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          clearTimeout(timer);
          queue.remove(line, waiting);
          reject(overloadError(expectedMs));
        };
        const timer = setTimeout(giveUp, MAX_WAIT_MS);
        const enter = () => {
          clearTimeout(timer);
          resolve(takeSlot(line));
        };
        const waiting: QueuedEntry = { line, enter };
        if (expectedMs > MAX_EXPECTED_MS || !queue.add(line, waiting)) giveUp();
        else admitNext();
      });
    },
  };
}

function createSlot(leave: (costMs?: number) => void): AdmissionSlot {
  let left = false;
  return {
    release(costMs) {
      if (!left) leave(costMs);
      left = true;
    },
  };
}

/** Runs `work` in a slot. `work` passes its cost in milliseconds to `spent`. */
export async function runAdmitted<T>(
  door: AdmissionQueue,
  line: TenantPath,
  work: (spent: (costMs: number) => void) => Promise<T>,
): Promise<T> {
  const place = await door.enter(line);
  let costMs: number | undefined;
  try {
    return await work((spent) => (costMs = spent));
  } finally {
    place.release(costMs);
  }
}

function getLastNode(line: TenantPath): string {
  return line.at(-1) ?? '';
}

function overloadError(expectedMs: number): DomainError {
  return new DomainError(
    'rate_limited',
    'Too much of this is under way for your organization, and it takes long. Nothing was stored; try again later.',
    { retryAfterSeconds: Math.max(1, Math.ceil(expectedMs / 1_000)) },
  );
}

/** Recent costs by node of the tenant tree. */
interface Costs {
  /** In milliseconds, 0 if unknown. */
  of: (node: string) => number;
  note: (node: string, costMs: number) => void;
  /** Returns how many runs take about WORK_MS. */
  maxAtOnce: (node: string) => number;
}

const MAX_KNOWN = 10_000;
const WORK_MS = 4_000;
const MIN_AT_ONCE = 2;
/** Assumed until the first run ends. */
const UNKNOWN_MS = 500;
/** Cost estimates rise at once, and fall by this part of the difference. */
const FALLS_BY = 1 / 8;

/** Keeps the most recent nodes. */
function createCosts(): Costs {
  const known = new Map<string, number>();
  return {
    of: (node) => known.get(node) ?? 0,
    note(node, costMs) {
      const before = known.get(node) ?? costMs;
      known.delete(node);
      known.set(node, costMs > before ? costMs : before + (costMs - before) * FALLS_BY);
      const [oldest] = known.keys();
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    },
    maxAtOnce: (node) => Math.max(MIN_AT_ONCE, WORK_MS / Math.max(1, known.get(node) ?? UNKNOWN_MS)),
  };
}
