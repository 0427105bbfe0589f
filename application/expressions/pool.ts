import { availableParallelism } from 'node:os';
import type { TenantPath } from '../../domain/limits/shares.ts';
import { LIMITS } from './protocol.ts';
import { startExpressionProcess, createProcesses } from './processes.ts';
import type { ExpressionProcess, ProcessOptions } from './processes.ts';
import type { ResolveLookup, RunEnd } from './run.ts';
import { createTurns, createFairQueue } from './fair-queue.ts';
import type { ExpressionFault } from './protocol.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Turns } from './fair-queue.ts';

interface CheckInput {
  expression: string;
  line: TenantPath;
  /** Receives the cost in milliseconds before the result is returned. */
  spent?: (costMs: number) => void;
}

interface EvaluateInput extends CheckInput {
  body: string;
  resolveLookup: ResolveLookup;
}

/**
 * Runs expressions in warm, sandboxed processes with limits (spec 8.6).
 *
 * Rejects with DomainError `unavailable` if the queue is full or the pool is closed, and with the
 * error of a failed lookup.
 */
export interface ExpressionPool {
  evaluate: (evaluating: EvaluateInput) => Promise<Evaluation>;
  check: (checking: CheckInput) => Promise<Evaluation>;
  warm: () => void;
  pids: () => number[];
  close: () => Promise<void>;
}

const MAX_TRIES = 3;
const LOGGED_EVERY_MS = 60_000;

interface PoolOptions extends ProcessOptions {
  size?: number;
  log?: WarningLog;
}

interface WarningLog {
  warn: (facts: object, message: string) => void;
}

export function createExpressionPool({
  size = defaultSize(),
  limits,
  yields,
  log,
}: PoolOptions = {}): ExpressionPool {
  const processes = createProcesses({
    freed: () => dispatch(),
    cannotStart: warnAtMostEvery(log),
    start: () => startExpressionProcess({ limits, yields }),
  });
  const turns = createTurns(size, processes.alive);
  const { enqueue, dispatch, rejectAll } = createJobs({
    ...processes,
    turns,
    async perform(job, process) {
      const { end, costMs } = await runOn(process, job);
      turns.note(job.line, costMs);
      job.spent(costMs);
      if ('answer' in end) processes.release(process);
      return 'ended' in end && job.tries < MAX_TRIES ? undefined : toEvaluation(end);
    },
  });

  function run(job: Pick<Job, 'request' | 'line' | 'resolveLookup' | 'spent'>): Promise<Evaluation> {
    processes.want(size);
    return new Promise((resolve, reject) => enqueue({ ...job, tries: 0, resolve, reject }));
  }

  return {
    evaluate: ({ expression, body, line, resolveLookup, spent = noop }) =>
      run({ request: { expression, body }, line, resolveLookup, spent }),
    check: ({ expression, line, spent = noop }) =>
      run({ request: { expression }, line, resolveLookup: () => Promise.resolve(undefined), spent }),
    warm: () => processes.want(1),
    pids: processes.pids,
    async close() {
      rejectAll();
      await processes.endAll();
    },
  };
}

const noop = () => undefined;

async function runOn(
  process: ExpressionProcess,
  { request, resolveLookup }: Job,
): Promise<{ end: RunEnd; costMs: number }> {
  const before = process.cpuMs();
  let lookedMs = 0;
  const end = await process.run(request, async (asked) => {
    const begun = performance.now();
    return resolveLookup(asked).finally(() => (lookedMs += performance.now() - begun));
  });
  const usedMs = 'excess' in end ? LIMITS.cpuMs : process.cpuMs() - before;
  return { end, costMs: usedMs + lookedMs };
}

// Processes that fail to start are restarted every second, usually with the same error.
function warnAtMostEvery(log: WarningLog | undefined): (error: unknown) => void {
  let saidAt = -Infinity;
  return (error) => {
    if (performance.now() - saidAt < LOGGED_EVERY_MS) return;
    saidAt = performance.now();
    log?.warn({ err: error }, 'expressions cannot be run: their processes do not start');
  };
}

function defaultSize(): number {
  return Math.min(4, Math.max(2, availableParallelism()));
}

/** `result` is absent if the expression gave none. The fault is for the expression's author. */
export type Evaluation = { result?: string } | { fault: ExpressionFault };

function toEvaluation(end: RunEnd): Evaluation {
  if ('answer' in end) {
    const { result, fault } = end.answer;
    if (fault) return { fault };
    return result === undefined ? {} : { result };
  }
  if ('excess' in end && end.excess === 'time') {
    return { fault: { code: 'time', message: 'The expression ran longer than one second.' } };
  }
  return {
    fault: { code: 'memory', message: `The expression needed more than ${LIMITS.heapMiB} MiB of memory.` },
  };
}

interface Job {
  request: { expression: string; body?: string };
  line: TenantPath;
  resolveLookup: ResolveLookup;
  /** Receives the milliseconds that the run used its process. */
  spent: (costMs: number) => void;
  tries: number;
  resolve: (evaluation: Evaluation) => void;
  reject: (error: unknown) => void;
  timer?: NodeJS.Timeout;
}

interface Work {
  turns: Turns;
  hasFree: () => boolean;
  take: () => ExpressionProcess | undefined;
  /** Runs a job. Returns undefined if the job must run again. */
  perform: (job: Job, process: ExpressionProcess) => Promise<Evaluation | undefined>;
}

interface Jobs {
  enqueue: (job: Job) => void;
  /** Starts waiting jobs. Call it when a process becomes free. */
  dispatch: () => void;
  rejectAll: () => void;
}

function createJobs({ turns, hasFree, take, perform }: Work): Jobs {
  const queue = createFairQueue<Job>(LIMITS.waiting);
  let closed = false;

  function enqueue(job: Job): void {
    if (closed || !queue.add(job.line, job)) {
      rejectJob(job);
      return;
    }
    job.timer = setTimeout(() => {
      queue.remove(job.line, job);
      rejectJob(job);
    }, LIMITS.waitingMs);
    dispatch();
  }

  function dispatch(): void {
    while (hasFree()) {
      const job = queue.next(turns.may);
      const process = job && take();
      if (!process) return;
      void start(job, process);
    }
  }

  async function start(job: Job, process: ExpressionProcess): Promise<void> {
    clearTimeout(job.timer);
    job.tries += 1;
    const end = turns.begin(job.line);
    const outcome = perform(job, process).finally(end);
    await outcome.then((evaluation) => (evaluation ? job.resolve(evaluation) : enqueue(job)), job.reject);
    dispatch();
  }

  return {
    enqueue,
    dispatch,
    rejectAll() {
      closed = true;
      for (let job = queue.next(anyTenant); job; job = queue.next(anyTenant)) rejectJob(job);
    },
  };
}

const anyTenant = () => true;

function rejectJob(job: Job): void {
  clearTimeout(job.timer);
  job.reject(queueFullError());
}

function queueFullError(): DomainError {
  return new DomainError('unavailable', 'Too many expressions are waiting. Please try again.', {
    retryAfterSeconds: 1,
  });
}
