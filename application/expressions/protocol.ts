/** The functions that read records for an expression (spec 8.5). */
export const LOOKUPS = ['conversation', 'contact', 'organization'] as const;

export type LookupName = (typeof LOOKUPS)[number];

/** What a process is asked. `body` is JSON. Without one the expression is only read. */
export interface RunRequest {
  kind: 'run';
  id: number;
  expression: string;
  body?: string;
}

/**
 * The answer to a lookup, as JSON; none: there is no such record. `refused`: the filter makes no
 * sense.
 */
export interface LookupAnswer {
  kind: 'found';
  id: number;
  lookup: number;
  record?: string;
  refused?: string;
}

export type ToProcess = RunRequest | LookupAnswer;

/** An expression asks for a record; `filter` is JSON. */
export interface LookupRequest {
  kind: 'lookup';
  id: number;
  lookup: number;
  name: LookupName;
  filter: string;
}

/**
 * Why an expression gives nothing; `position` counts characters of its text, `place` says the same
 * in words: "in $toMillis, line 3, column 12, character 45".
 */
export interface ExpressionFault {
  code: string;
  message: string;
  position?: number;
  place?: string;
}

/** How a run ended. `result` is JSON; without one the expression gave nothing. */
export interface RunAnswer {
  kind: 'done';
  id: number;
  result?: string;
  fault?: ExpressionFault;
  /** Processor time that the process has used since it started. */
  cpuMs: number;
}

export type FromProcess = { kind: 'ready' } | LookupRequest | RunAnswer;
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
