/** Functions that read records for an expression (spec 8.5). */
export const LOOKUPS = ['conversation', 'contact', 'organization'] as const;

export type LookupName = (typeof LOOKUPS)[number];

/** Request to a process. `body` is JSON; without it the expression is only parsed. */
export interface RunRequest {
  kind: 'run';
  id: number;
  expression: string;
  body?: string;
}

/**
 * Response to a lookup. `record` is JSON, absent if no record matches. `refused`: why the filter is
 * invalid.
 */
export interface LookupAnswer {
  kind: 'found';
  id: number;
  lookup: number;
  record?: string;
  refused?: string;
}

export type ToProcess = RunRequest | LookupAnswer;

/** A lookup of a record by an expression. `filter` is JSON. */
export interface LookupRequest {
  kind: 'lookup';
  id: number;
  lookup: number;
  name: LookupName;
  filter: string;
}

/**
 * Why an expression has no result. `position` is an offset in its text; `place` describes it: "in
 * $toMillis, line 3, column 12, character 45".
 */
export interface ExpressionFault {
  code: string;
  message: string;
  position?: number;
  place?: string;
}

/** Result of a run. `result` is JSON, absent if the expression gave none. */
export interface RunAnswer {
  kind: 'done';
  id: number;
  result?: string;
  fault?: ExpressionFault;
  /** CPU time of the process since its start. */
  cpuMs: number;
}

export type FromProcess = { kind: 'ready' } | LookupRequest | RunAnswer;
/** Limits of expressions (spec 8.6). */
export const LIMITS = {
  /** CPU time of one run. */
  cpuMs: 1_000,
  /** Wall-clock time of one run, for a busy machine. Excludes the time of lookups. */
  wallMs: 1_600,
  heapMiB: 64,
  /** Memory above the process's initial usage: the heap and memory outside it. */
  residentMiB: 128,
  /** Size of an expression's text. */
  expressionBytes: 256 * 1024,
  resultBytes: 1024 * 1024,
  resultDepth: 100,
  /** Lookups of one run. */
  lookups: 50,
  lookupFilterBytes: 16 * 1024,
  /**
   * Runs in the queue. Fewer than a worker's concurrent activities, so that it can do other work.
   */
  waiting: 100,
  waitingMs: 15_000,
  /** A longer run marks its tenant as slow for `slowForMs`. */
  slowMs: 500,
  slowForMs: 30_000,
} as const;
