import { availableParallelism } from 'node:os';
import type { TenantPath } from '../../domain/limits/fair-share.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { FairPolicy } from '../../platform/concurrency/fair-scheduler.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { LIMITS } from './protocol.ts';
import { startExpressionProcess, createProcesses } from './processes.ts';
import type { ExpressionProcess, ProcessOptions } from './processes.ts';
import type { ResolveLookup, RunEnd } from './run.ts';
import type { ExpressionFault } from './protocol.ts';
import { DomainError } from '../../domain/errors.ts';
import { definedFields } from '../../domain/record-fields.ts';

interface CheckInput {
  expression: string;
  path: TenantPath;
  spent?: (costMs: number) => void;
}

interface EvaluateInput extends CheckInput {
  body: string;
  /** JSON, the value of `$event`. */
  event?: string;
  resolveLookup: ResolveLookup;
}

/**
 * Runs expressions in sandboxed processes (spec 8.6). Rejects with DomainError `unavailable` if the
 * queue is full, the wait too long or the pool closed, and with the error of a failed lookup.
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
    freed: () => scheduler.dispatch(),
    cannotStart: warnAtMostEvery(log),
    start: () => startExpressionProcess({ limits, yields }),
  });
  const scheduler = new FairScheduler(buildPoolPolicy(size, processes.alive));

  async function run({ path, request, resolveLookup, spent = noop }: Job): Promise<Evaluation> {
    processes.want(size);
    for (let tries = 1; ; tries += 1) {
      const end = await scheduler.run(path, async (note): Promise<RunEnd> => {
        const process = processes.take();
        if (!process) return { ended: true };
        const { end, costMs } = await runOn(process, request, resolveLookup);
        note(costMs);
        spent(costMs);
        if ('answer' in end) processes.release(process);
        return end;
      });
      if (!('ended' in end) || tries === MAX_TRIES) return toEvaluation(end);
    }
  }

  return {
    evaluate: ({ expression, body, event, ...job }) =>
      run({ ...job, request: { expression, body, ...definedFields({ event }) } }),
    check: ({ expression, ...job }) =>
      run({ ...job, request: { expression }, resolveLookup: () => Promise.resolve(undefined) }),
    warm: () => processes.want(1),
    pids: processes.pids,
    async close() {
      scheduler.close();
      await processes.endAll();
    },
  };
}

interface Job extends Pick<EvaluateInput, 'path' | 'resolveLookup' | 'spent'> {
  request: { expression: string; body?: string; event?: string };
}

const noop = () => undefined;

async function runOn(
  process: ExpressionProcess,
  request: Job['request'],
  resolveLookup: ResolveLookup,
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

// Processes that fail to start are restarted every second.
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

const MAX_SLOW = 10_000;
/** Added to the path of slow tenants, to count their runs together. */
const SLOW = 'slow';

/**
 * Builds the rules of a pool. If there are several processes, no branch below the root takes all.
 * Slow tenants (a recent run over `LIMITS.slowMs`) together leave one live process free: replacing
 * a process takes time.
 */
export function buildPoolPolicy(
  size: number,
  alive: () => number,
  now = () => performance.now(),
): FairPolicy & Required<Pick<FairPolicy, 'mayStart' | 'countedNodes' | 'noteCost'>> {
  const maxOfBranch = Math.max(1, size - 1);
  const slowUntil = lruMap<string, number>(MAX_SLOW);
  const isSlow = (path: TenantPath) => path.slice(1).some((node) => (slowUntil.peek(node) ?? 0) > now());
  return {
    mayStart: (path, running) =>
      running.total < alive() &&
      running.of(path[1] ?? path[0] ?? '') < maxOfBranch &&
      (size === 1 || alive() - running.of(SLOW) > 1 || !isSlow(path)),
    countedNodes: (path) => (isSlow(path) ? [...path, SLOW] : path),
    noteCost(path, costMs) {
      if (costMs <= LIMITS.slowMs) return;
      for (const node of path.slice(1)) slowUntil.set(node, now() + LIMITS.slowForMs);
    },
    maxWaiting: LIMITS.waiting,
    maxWaitMs: LIMITS.waitingMs,
    refusal: queueFullError,
  };
}

function queueFullError(): DomainError {
  return new DomainError('unavailable', 'Too many expressions are waiting. Please try again.', {
    retryAfterSeconds: 1,
  });
}
