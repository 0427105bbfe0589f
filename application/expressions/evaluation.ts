import { LIMITS } from './limits.ts';
import type { ExpressionFault } from './protocol.ts';
import type { RunEnd } from './run.ts';

/**
 * What an expression gave: JSON, nothing (`result` is absent), or a fault that its writer can
 * understand.
 */
export type Evaluation = { result?: string } | { fault: ExpressionFault };

/** What the end of a run means to the writer of the expression. */
export function toEvaluation(end: RunEnd): Evaluation {
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
