import type { TenantPath } from '../../domain/limits/fair-share.ts';
import { isOutage } from '../../store/connection/outage.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { Release } from '../../platform/concurrency/fair-scheduler.ts';
import { createAllowances, createSharedTime } from '../../domain/limits/allowances.ts';
import { DomainError } from '../../domain/errors.ts';

/** A list that takes longer is stopped, and repeated as a slow list at its caller's expense. */
const QUICK_MS = 250;
const MAX_MS = 10_000;

/** In milliseconds. */
const ALLOWANCE = { max: 10_000, backPerMs: 0.5 };

export interface ListBudget {
  /** After this time the store throws SearchTooLong. */
  withinMs: number;
  /**
   * Await before the response becomes large: then the whole list is charged. Throws DomainError
   * `rate_limited`.
   */
  awaitLargeSlot: () => Promise<void>;
}

type List<T> = (budget: ListBudget) => Promise<T>;

/** Bounds the cost of lists (docs/decisions/list-costs.md). */
export class ListConcurrency {
  readonly #quick = new FairScheduler({
    max: 16,
    maxEach: 4,
    maxWaitingEach: 50,
    maxWaitMs: 10_000,
    refusal: () => rateLimitError('Too many of your lists are under way.'),
  });
  /** On a busy machine ordinary lists are slow, so some may wait. */
  readonly #slow = new FairScheduler({
    max: 4,
    maxEach: 1,
    maxWaitingEach: 2,
    maxWaitMs: 5_000,
    refusal: () => rateLimitError('Too many slow lists are under way.'),
  });
  /** A large response is in memory several times while it is built. */
  readonly #large = new FairScheduler({
    max: 3,
    maxEach: 1,
    maxWaitingEach: 50,
    maxWaitMs: 10_000,
    refusal: () => rateLimitError('Too many of your large lists are under way.'),
  });
  readonly #allowances = createAllowances(ALLOWANCE);
  readonly #time = createSharedTime();
  readonly #now: () => number;
  readonly #work: Pick<WorkClock, 'start' | 'stop'>;

  constructor(
    now: () => number = () => performance.now(),
    work: Pick<WorkClock, 'start' | 'stop'> = new WorkClock(now),
  ) {
    this.#now = now;
    this.#work = work;
  }

  /**
   * Runs `list`, and repeats a slow list with a longer timeout. Throws DomainError `rate_limited`
   * above the caller's allowance, in a full queue, or after the longer timeout.
   */
  async run<T>(path: TenantPath, list: List<T>, { freeMs } = { freeMs: QUICK_MS }): Promise<T> {
    this.#assertWithinAllowance(path);
    try {
      return await this.#quick.run(path, () => {
        this.#assertWithinAllowance(path);
        return this.#runAndCharge(path, list, { withinMs: QUICK_MS, freeMs });
      });
    } catch (error) {
      if (!(error instanceof SearchTooLong)) throw error;
    }
    this.#assertWithinAllowance(path);
    try {
      return await this.#slow.run(path, () =>
        this.#runAndCharge(path, list, { withinMs: MAX_MS, freeMs: 0 }),
      );
    } catch (error) {
      throw error instanceof SearchTooLong ? searchTooLongError() : error;
    }
  }

  #assertWithinAllowance(path: TenantPath): void {
    const waitMs = this.#allowances.waitMs(path, this.#now());
    if (waitMs > 0) throw rateLimitError('Your lists took too long lately. Narrow them, or wait.', waitMs);
  }

  /**
   * Charges the time of `list`, except the first `freeMs` of a small, successful list and the delay
   * of the event loop. An outage of the store costs nothing.
   */
  async #runAndCharge<T>(
    path: TenantPath,
    list: List<T>,
    { withinMs, freeMs }: { withinMs: number; freeMs: number },
  ): Promise<T> {
    const end = this.#time.begin(this.#work.start());
    let large: Promise<Release> | undefined;
    let free = 0;
    try {
      const result = await list({
        withinMs,
        awaitLargeSlot: async () => {
          await (large ??= this.#large.enter(path));
        },
      });
      if (!large) free = freeMs;
      return result;
    } catch (error) {
      if (isOutage(error)) free = Infinity;
      throw error;
    } finally {
      await large?.then(
        (release) => release(),
        () => undefined,
      );
      const tookMs = end(this.#work.stop()) - free;
      if (tookMs > 0) this.#allowances.use(path, tookMs, this.#now());
    }
  }
}

const TICK_MS = 10;

/**
 * A clock in milliseconds without most of the event loop's delay, which other requests and programs
 * cause.
 */
class WorkClock {
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running = 0;
  #last = 0;
  #workedMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  start(): number {
    if (this.#running++ === 0) {
      this.#last = this.#now();
      this.#timer = setInterval(() => this.#tick(), TICK_MS);
    }
    return this.#tick();
  }

  stop(): number {
    if (--this.#running === 0) clearInterval(this.#timer);
    return this.#tick();
  }

  #tick(): number {
    const now = this.#now();
    this.#workedMs += Math.min(now - this.#last, 2 * TICK_MS);
    this.#last = now;
    return this.#workedMs;
  }
}

function searchTooLongError(): DomainError {
  const words = `The list was not complete after ${MAX_MS / 1_000} seconds. Narrow it, or simplify its patterns.`;
  return rateLimitError(words, MAX_MS);
}

function rateLimitError(message: string, waitMs = 1_000): DomainError {
  return new DomainError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
