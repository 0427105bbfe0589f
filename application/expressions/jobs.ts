import { DomainError } from '../../domain/errors.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';
import type { Evaluation } from './evaluation.ts';
import type { ExpressionProcess } from './expression-process.ts';
import { createFairQueue } from './fair-queue.ts';
import { LIMITS } from './limits.ts';
import type { ResolveLookup } from './run.ts';
import type { Turns } from './turns.ts';

/** One run that somebody waits for. */
export interface Job {
  request: { expression: string; body?: string };
  line: TenantPath;
  resolveLookup: ResolveLookup;
  /** Told for how many milliseconds it held its process. */
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
  /** Answers nothing when the job has to be done again. */
  perform: (job: Job, process: ExpressionProcess) => Promise<Evaluation | undefined>;
}

/** What waits for a process, and who is next. */
export interface Jobs {
  enqueue: (job: Job) => void;
  /** Call when a process has become free. */
  dispatch: () => void;
  rejectAll: () => void;
}

export function createJobs({ turns, hasFree, take, perform }: Work): Jobs {
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
