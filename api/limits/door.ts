import { DomainError } from '../../domain/errors.ts';
import { hasFairShare, createUsage } from '../../domain/limits/shares.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';
import { fairQueue } from '../../application/expressions/fair-queue.ts';
import { createCosts } from './costs.ts';

/** As many as one process has under way at once, and as many as wait for that. */
const MAX_UNDER_WAY = 64;
const MAX_WAITING = 400;
const MAX_WAIT_MS = 10_000;
/** What is expected to wait longer is refused at once. */
const MAX_EXPECTED_MS = 5_000;

/** Somebody's turn. */
export interface Place {
  /** Makes room for others; may be called again. `costMs`: what it took, where that is known. */
  leave: (costMs?: number) => void;
}

/** Where work that may be expensive is let in (docs/decisions/event-admission.md). */
export interface Door {
  /**
   * Resolves when the line has its turn. Rejects with DomainError `rate_limited` where too much of
   * its work is under way or waits: nothing has happened then.
   */
  enter: (line: TenantPath) => Promise<Place>;
}

interface Waiting {
  line: TenantPath;
  enter: () => void;
}

export function createDoor(): Door {
  const costs = createCosts();
  const underWay = createUsage();
  const queue = fairQueue<Waiting>(MAX_WAITING);

  // Not the root: that is above everybody, and tells nothing of anybody.
  const isBounded = (line: TenantPath) =>
    line.slice(1).every((node) => underWay.of(node) < costs.maxAtOnce(node));
  const mayEnter = (line: TenantPath) => isBounded(line) && hasFairShare(line, underWay, MAX_UNDER_WAY);

  function admit(): void {
    for (let next = queue.next(mayEnter); next; next = queue.next(mayEnter)) {
      underWay.add(next.line, 1);
      next.enter();
    }
  }

  const placeOf = (line: TenantPath) =>
    leftOnce((costMs) => {
      underWay.add(line, -1);
      if (costMs !== undefined) for (const node of line) costs.note(node, costMs);
      admit();
    });

  return {
    enter(line) {
      const end = endOf(line);
      const expectedMs = (underWay.of(end) + queue.waiting(end)) * costs.of(end);
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          clearTimeout(timer);
          queue.remove(line, waiting);
          reject(refused(expectedMs));
        };
        const timer = setTimeout(giveUp, MAX_WAIT_MS);
        const enter = () => {
          clearTimeout(timer);
          resolve(placeOf(line));
        };
        const waiting: Waiting = { line, enter };
        if (expectedMs > MAX_EXPECTED_MS || !queue.add(line, waiting)) giveUp();
        else admit();
      });
    },
  };
}

function leftOnce(leave: (costMs?: number) => void): Place {
  let left = false;
  return {
    leave(costMs) {
      if (!left) leave(costMs);
      left = true;
    },
  };
}

/** Does the work in the line's turn; `spent` is to be told what it cost. */
export async function passing<T>(
  door: Door,
  line: TenantPath,
  work: (spent: (costMs: number) => void) => Promise<T>,
): Promise<T> {
  const place = await door.enter(line);
  let costMs: number | undefined;
  try {
    return await work((spent) => (costMs = spent));
  } finally {
    place.leave(costMs);
  }
}

function endOf(line: TenantPath): string {
  return line.at(-1) ?? '';
}

function refused(expectedMs: number): DomainError {
  return new DomainError(
    'rate_limited',
    'Too much of this is under way for your organization, and it takes long. Nothing was stored; try again later.',
    { retryAfterSeconds: Math.max(1, Math.ceil(expectedMs / 1_000)) },
  );
}
