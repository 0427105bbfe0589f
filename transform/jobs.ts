import { DomainError } from '../domain/errors.ts';
import type { Evaluation } from './evaluation.ts';
import type { ExpressionProcess } from './expression-process.ts';
import { fairQueue } from './fair-queue.ts';
import { LIMITS } from './limits.ts';
import type { AnswerLookup } from './run.ts';

/** One run that somebody waits for. */
export interface Job {
  request: { expression: string; body?: string };
  organization: string;
  look: AnswerLookup;
  tries: number;
  resolve: (evaluation: Evaluation) => void;
  reject: (error: unknown) => void;
  tooLate?: NodeJS.Timeout;
}

interface Work {
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
  refuseAll: () => void;
}

export function createJobs(size: number, { hasFree, take, perform }: Work): Jobs {
  const queue = fairQueue<Job>({ mostOfOne: LIMITS.waitingOfOne, most: LIMITS.waiting });
  const running = counter();
  // One organization never holds all processes, so that a neighbour's endless loops cost the others a turn at most.
  const mostOfOne = Math.max(1, size - 1);
  let closed = false;

  function enqueue(job: Job): void {
    if (closed || !queue.add(job.organization, job)) {
      refuse(job);
      return;
    }
    job.tooLate = setTimeout(() => giveUp(job), LIMITS.waitingMs);
    dispatch();
  }

  function giveUp(job: Job): void {
    queue.remove(job.organization, job);
    refuse(job);
  }

  function dispatch(): void {
    while (hasFree()) {
      const job = queue.next((organization) => running.of(organization) < mostOfOne);
      const process = job && take();
      if (!process) return;
      void start(job, process);
    }
  }

  async function start(job: Job, process: ExpressionProcess): Promise<void> {
    clearTimeout(job.tooLate);
    job.tries += 1;
    running.add(job.organization, 1);
    const outcome = perform(job, process).finally(() => running.add(job.organization, -1));
    await outcome.then((evaluation) => (evaluation ? job.resolve(evaluation) : enqueue(job)), job.reject);
    dispatch();
  }

  function refuseAll(): void {
    closed = true;
    for (const job of queue.takeAll()) refuse(job);
  }

  return { enqueue, dispatch, refuseAll };
}

function refuse(job: Job): void {
  clearTimeout(job.tooLate);
  job.reject(unavailable());
}

function counter() {
  const counts = new Map<string, number>();
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add(name: string, change: number): void {
      const now = (counts.get(name) ?? 0) + change;
      if (now === 0) counts.delete(name);
      else counts.set(name, now);
    },
  };
}

function unavailable(): DomainError {
  return new DomainError('unavailable', 'Too many expressions are waiting. Please try again.', {
    retryAfterSeconds: 1,
  });
}
