import { availableParallelism } from 'node:os';
import { evaluationOf } from './evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { createJobs } from './jobs.ts';
import type { Job } from './jobs.ts';
import { createProcesses } from './processes.ts';
import type { AnswerLookup } from './run.ts';

interface Checking {
  expression: string;
  /** Whose expression it is: organizations take turns. */
  organization: string;
}

interface Evaluating extends Checking {
  /** JSON. */
  body: string;
  look: AnswerLookup;
}

/**
 * A few warm processes that run expressions (contract 8). Whatever an expression does ends within its limits, in a process that can reach
 * nothing; a process that it has cost is replaced.
 *
 * Rejects with DomainError `unavailable` when too much waits or the pool is closed, and with what a lookup rejects with.
 */
export interface ExpressionPool {
  evaluate: (evaluating: Evaluating) => Promise<Evaluation>;
  /** Whether it can be read at all. */
  check: (checking: Checking) => Promise<Evaluation>;
  /** Starts the processes before they are needed. */
  warm: () => void;
  /** The processes that live now. */
  pids: () => number[];
  close: () => Promise<void>;
}

const MOST_TRIES = 3;
const LOGGED_EVERY_MS = 60_000;

interface Options {
  size?: number;
  log?: Log;
}

interface Log {
  warn: (facts: object, message: string) => void;
}

export function createExpressionPool({ size = defaultSize(), log }: Options = {}): ExpressionPool {
  const processes = createProcesses(size, { freed: () => dispatch(), cannotStart: sayingSeldom(log) });
  const { enqueue, dispatch, refuseAll } = createJobs(size, {
    ...processes,
    async perform(job, process) {
      const end = await process.run(job.request, job.look);
      if ('answer' in end) processes.giveBack(process);
      return 'ended' in end && job.tries < MOST_TRIES ? undefined : evaluationOf(end);
    },
  });

  function run(job: Pick<Job, 'request' | 'organization' | 'look'>): Promise<Evaluation> {
    processes.complete();
    return new Promise((resolve, reject) => enqueue({ ...job, tries: 0, resolve, reject }));
  }

  return {
    evaluate: ({ expression, body, organization, look }) =>
      run({ request: { expression, body }, organization, look }),
    check: ({ expression, organization }) =>
      run({ request: { expression }, organization, look: () => Promise.resolve(undefined) }),
    warm: processes.complete,
    pids: processes.pids,
    async close() {
      refuseAll();
      await processes.endAll();
    },
  };
}

// They are started again every second, and it is the same each time.
function sayingSeldom(log: Log | undefined): (error: unknown) => void {
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
