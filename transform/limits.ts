/** What an expression may use (contract 8). */
export const LIMITS = {
  /** Processor time of one run. */
  cpuMs: 1_000,
  /** The same by the clock, for a machine that is busy; time that it waits for records is not counted. */
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
  /** Runs of one organization that may wait for a process, and of all. */
  waitingOfOne: 200,
  waiting: 2_000,
  waitingMs: 15_000,
} as const;
