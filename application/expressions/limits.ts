/** What an expression may use (spec 8.6). */
export const LIMITS = {
  /** Processor time of one run. */
  cpuMs: 1_000,
  /**
   * The same by the clock, for a machine that is busy; time that it waits for records is not
   * counted.
   */
  wallMs: 1_600,
  heapMiB: 64,
  /** What the process may hold beside what it needs itself: the heap, and memory outside it. */
  residentMiB: 128,
  /** An expression's own text. */
  expressionBytes: 256 * 1024,
  resultBytes: 1024 * 1024,
  resultDepth: 100,
  /** Records that one run may ask for. */
  lookups: 50,
  lookupFilterBytes: 16 * 1024,
  /**
   * Runs that may wait for a process: fewer than a worker does at once, so that it has hands free
   * for all else.
   */
  waiting: 100,
  waitingMs: 15_000,
  /** A run that holds a process for longer is slow, and for how long that is remembered. */
  slowMs: 500,
  slowForMs: 30_000,
} as const;
