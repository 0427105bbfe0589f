import { createAllowances } from '../../domain/limits/allowances.ts';
import type { Allowance } from '../../domain/limits/allowances.ts';
import { DomainError } from '../../domain/errors.ts';
import { createSharedTime } from '../../domain/limits/shared-time.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';

/**
 * Of the time that this process and the store work on lists, everybody has a part, and may use so
 * much of it in one go.
 */
const ALLOWANCE: Allowance = { max: 10_000, backPerMs: 0.5 };

/** What the lists of this process cost, and whom. */
export interface ListCosts {
  /** Throws DomainError `rate_limited` where the line has used more than it may. */
  assertWithinAllowance: (line: TenantPath) => void;
  /** Runs the work and adds its time to the line's. Of work that succeeds, `freeMs` are free. */
  count: <T>(of: { line: TenantPath; freeMs: () => number }, work: () => Promise<T>) => Promise<T>;
}

export function createListCosts(now: () => number): ListCosts {
  const allowances = createAllowances(ALLOWANCE);
  const time = createSharedTime();
  return {
    assertWithinAllowance(line) {
      const waitMs = allowances.waitMs(line, now());
      if (waitMs > 0) throw rateLimitError('Your lists took too long lately. Narrow them, or wait.', waitMs);
    },
    async count({ line, freeMs }, work) {
      const end = time.begin(now());
      let free = 0;
      try {
        const done = await work();
        free = freeMs();
        return done;
      } finally {
        const tookMs = end(now()) - free;
        if (tookMs > 0) allowances.use(line, tookMs, now());
      }
    },
  };
}

/** The refusal of a list that costs too much now. */
export function rateLimitError(message: string, waitMs: number): DomainError {
  return new DomainError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
