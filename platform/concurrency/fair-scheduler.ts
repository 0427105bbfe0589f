import { FairQueue, hasFairShare, TenantUsage } from '../../domain/limits/fair-share.ts';
import type { TenantPath } from '../../domain/limits/fair-share.ts';

/** Limits of work. Absent limits do not apply. */
export interface FairPolicy {
  /** Maximum of running works, shared fairly by tenants. */
  max?: number;
  /** Maximum of running works of the path's last node. */
  maxEach?: number;
  mayStart?: (path: TenantPath, running: TenantUsage) => boolean;
  /** Maximum of waiting works, shared fairly by tenants. */
  maxWaiting?: number;
  /** Maximum of waiting works of the path's last node. */
  maxWaitingEach?: number;
  maxWaitMs?: number;
  /**
   * Returns whether to refuse work immediately instead of queueing it. `ahead`: running and waiting
   * works of the path's last node.
   */
  isRefused?: (path: TenantPath, ahead: number) => boolean;
  refusal?: (path: TenantPath, ahead: number) => Error;
  /** Returns the nodes at which running work counts. Default: the path. */
  countedNodes?: (path: TenantPath) => TenantPath;
  noteCost?: (path: TenantPath, costMs: number) => void;
}

/** Frees a slot. Further calls have no effect. */
export type Release = (costMs?: number) => void;

interface WaitingWork {
  path: TenantPath;
  start: (release: Release) => void;
  refuse: () => void;
  timer?: NodeJS.Timeout;
}

/** Runs the work of many tenants within a policy. Tenants take turns (FairQueue). */
export class FairScheduler {
  readonly #policy: FairPolicy;
  readonly #running = new TenantUsage();
  readonly #queue = new FairQueue<WaitingWork>();
  #isClosed = false;

  constructor(policy: FairPolicy) {
    this.#policy = policy;
  }

  /** Resolves with a slot, or rejects with the policy's refusal. */
  enter(path: TenantPath): Promise<Release> {
    const { isRefused, refusal, maxWaitMs } = this.#policy;
    const ahead = this.#running.atEnd(path) + this.#queue.waiting.atEnd(path);
    const mayWait = this.#mayWait(path);
    return new Promise((resolve, reject) => {
      const refuse = () => reject(refusal?.(path, ahead) ?? new Error('No slot is free.'));
      const work: WaitingWork = { path, start: resolve, refuse };
      if (this.#isClosed || isRefused?.(path, ahead)) {
        refuse();
        return;
      }
      if (maxWaitMs !== undefined) work.timer = setTimeout(() => this.#giveUp(work), maxWaitMs);
      this.#queue.add(work);
      this.dispatch();
      if (!mayWait) this.#giveUp(work);
    });
  }

  /**
   * Waits for a slot and runs `work`. `work` may call `spent` with its own cost in milliseconds.
   */
  async run<T>(path: TenantPath, work: (spent: (costMs: number) => void) => Promise<T>): Promise<T> {
    const release = await this.enter(path);
    let cost: number | undefined;
    try {
      return await work((costMs) => (cost = costMs));
    } finally {
      release(cost);
    }
  }

  /** Starts waiting work. Call when the result of `mayStart` may have changed. */
  dispatch(): void {
    const mayStart = ({ path }: WaitingWork) => this.#mayStart(path);
    for (let work = this.#queue.next(mayStart); work; work = this.#queue.next(mayStart)) {
      clearTimeout(work.timer);
      work.start(this.#takeSlot(work.path));
    }
  }

  /** Refuses all waiting and later work. */
  close(): void {
    this.#isClosed = true;
    for (let work = this.#queue.next(() => true); work; work = this.#queue.next(() => true)) {
      clearTimeout(work.timer);
      work.refuse();
    }
  }

  #mayStart(path: TenantPath): boolean {
    const { max = Infinity, maxEach = Infinity, mayStart } = this.#policy;
    if (this.#running.atEnd(path) >= maxEach || !hasFairShare(path, this.#running, max)) return false;
    return mayStart?.(path, this.#running) ?? true;
  }

  #mayWait(path: TenantPath): boolean {
    const { maxWaiting = Infinity, maxWaitingEach = Infinity } = this.#policy;
    const { waiting } = this.#queue;
    return waiting.atEnd(path) < maxWaitingEach && hasFairShare(path, waiting, maxWaiting);
  }

  #takeSlot(path: TenantPath): Release {
    const nodes = this.#policy.countedNodes?.(path) ?? path;
    let isFree = false;
    this.#running.add(nodes, 1);
    return (costMs) => {
      if (isFree) return;
      isFree = true;
      this.#running.add(nodes, -1);
      if (costMs !== undefined) this.#policy.noteCost?.(path, costMs);
      this.dispatch();
    };
  }

  #giveUp(work: WaitingWork): void {
    clearTimeout(work.timer);
    if (this.#queue.remove(work)) work.refuse();
  }
}
