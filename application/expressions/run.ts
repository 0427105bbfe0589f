import type { ChildProcess } from 'node:child_process';
import type { FromProcess, LookupRequest, RunAnswer, RunRequest, ToProcess } from './protocol.ts';
import { startRunClock } from './run-clock.ts';
import type { Excess, RunLimits, Usage } from './run-clock.ts';

/**
 * Answers a lookup with the record as JSON, or nothing. Throws what the run shall end with, or
 * LookupRefusal.
 */
export type ResolveLookup = (request: Pick<LookupRequest, 'name' | 'filter'>) => Promise<string | undefined>;

/** The filter of a lookup makes no sense: the expression fails with these words. */
export class LookupRefusal extends Error {
  override readonly name = 'LookupRefusal';
}

/** `ended`: somebody else ended the process; the run may be tried again in another. */
export type RunEnd = { answer: RunAnswer } | { excess: Excess } | { ended: true };

/** One run of an expression in a process. */
export interface ExpressionRun {
  /** Rejects with what a lookup rejected with; the process is ended then. */
  end: Promise<RunEnd>;
  handleMessage: (message: FromProcess) => void;
  /** The process has ended. */
  handleExit: (signal: NodeJS.Signals | null) => void;
}

/**
 * Signals by which others end a process; by any other end of its own it says that its memory did
 * not suffice.
 */
const ENDED_BY_OTHERS = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGXCPU'];

interface RunOptions {
  request: RunRequest;
  look: ResolveLookup;
  /** Usage of the process when the run began. */
  before: Usage;
  limits?: RunLimits | undefined;
}

/** Begins a run. */
export function startRun(child: ChildProcess, { request, look, before, limits }: RunOptions): ExpressionRun {
  const { end, resolve, reject } = createRunEnd();
  let excess: Excess | undefined;
  const exceeded = (found: Excess) => {
    excess = found;
    child.kill('SIGKILL');
  };
  const clock = startRunClock(child.pid ?? 0, { before, exceeded, limits });

  async function sendLookup({ id, lookup, name, filter }: LookupRequest): Promise<void> {
    clock.pause();
    try {
      const record = await look({ name, filter });
      send(child, { kind: 'found', id, lookup, ...(record === undefined ? {} : { record }) });
    } catch (error) {
      if (error instanceof LookupRefusal) send(child, { kind: 'found', id, lookup, refused: error.message });
      else fail(error);
    }
    clock.resume();
  }

  function fail(error: unknown): void {
    reject(error);
    child.kill('SIGKILL');
  }

  // Where sending fails the process is gone, and its end says so.
  send(child, request);
  return {
    end: end.finally(() => clock.stop()),
    handleMessage(message) {
      if (message.kind === 'lookup') void sendLookup(message);
      else if (message.kind === 'done' && message.id === request.id) resolve({ answer: message });
    },
    handleExit(signal) {
      if (excess) resolve({ excess });
      else
        resolve(signal !== null && ENDED_BY_OTHERS.includes(signal) ? { ended: true } : { excess: 'memory' });
    },
  };
}

function createRunEnd() {
  let resolve: (end: RunEnd) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const end = new Promise<RunEnd>((...settle) => ([resolve, reject] = settle));
  return { end, resolve, reject };
}

function send(child: ChildProcess, message: ToProcess): void {
  if (child.connected) child.send(message, () => undefined);
}
