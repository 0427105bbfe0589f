import type { ChildProcess } from 'node:child_process';
import type { FromProcess, LookupRequest, RunAnswer, RunRequest, ToProcess } from './protocol.ts';
import { startRunClock } from './run-clock.ts';
import type { Excess, RunLimits, Usage } from './run-clock.ts';

/** LookupRefusal fails the expression. Other errors reject the run. */
export type ResolveLookup = (request: Pick<LookupRequest, 'name' | 'filter'>) => Promise<string | undefined>;

export class LookupRefusal extends Error {
  override readonly name = 'LookupRefusal';
}

/** `ended`: the process ended through no fault of the run, which may be retried. */
export type RunEnd = { answer: RunAnswer } | { excess: Excess } | { ended: true };

export interface ExpressionRun {
  /** Rejects with the error of a failed lookup. The process is then killed. */
  end: Promise<RunEnd>;
  handleMessage: (message: FromProcess) => void;
  handleExit: (signal: NodeJS.Signals | null) => void;
}

/** Any other exit means out of memory. */
const ENDED_BY_OTHERS = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGXCPU'];

interface RunOptions {
  request: RunRequest;
  look: ResolveLookup;
  before: Usage;
  limits?: RunLimits | undefined;
}

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
