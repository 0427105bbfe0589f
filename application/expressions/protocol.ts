/** Functions of spec 8.5. */
export const LOOKUPS = ['conversation', 'contact', 'organization'] as const;

export type LookupName = (typeof LOOKUPS)[number];

/** `body` and `event` are JSON. Without `body`, the expression is only parsed. */
export interface RunRequest {
  kind: 'run';
  id: number;
  expression: string;
  body?: string | undefined;
  /** The value of `$event`. */
  event?: string | undefined;
}

/** `record` is JSON, absent for no match. `refused`: reason why the lookup is refused. */
export interface LookupAnswer {
  kind: 'found';
  id: number;
  lookup: number;
  record?: string;
  refused?: string;
}

export type ToProcess = RunRequest | LookupAnswer;

/** `filter` is JSON. */
export interface LookupRequest {
  kind: 'lookup';
  id: number;
  lookup: number;
  name: LookupName;
  filter: string;
}

export interface ExpressionFault {
  code: string;
  message: string;
  position?: number;
  place?: string;
}

/** `result` is JSON, absent for no result. */
export interface RunAnswer {
  kind: 'done';
  id: number;
  result?: string | undefined;
  fault?: ExpressionFault;
  cpuMs: number;
}

export type FromProcess = { kind: 'ready' } | LookupRequest | RunAnswer;
export const LIMITS = {
  cpuMs: 1_000,
  /** Wall-clock time without lookups. Five times `cpuMs`: other processes may use the cores. */
  wallMs: 5_000,
  heapMiB: 64,
  /** Growth of the resident memory, with the heap, since the process was ready. */
  residentMiB: 128,
  expressionBytes: 256 * 1024,
  resultBytes: 1024 * 1024,
  resultDepth: 100,
  lookups: 50,
  lookupFilterBytes: 16 * 1024,
  /** Fewer than a worker's concurrent activities. */
  waiting: 100,
  waitingMs: 15_000,
  /** A longer run marks its tenant as slow for `slowForMs`. */
  slowMs: 500,
  slowForMs: 30_000,
} as const;
