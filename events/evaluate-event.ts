import { unprocessable } from '../domain/refusal.ts';
import type { Reach } from '../store/reach.ts';
import type { ExpressionPool } from '../transform/pool.ts';
import { answerLookups } from './lookups.ts';
import { expressionRefusal } from './refusal.ts';

interface Evaluating {
  expression: string | undefined;
  /** JSON. */
  body: string;
  /** Who sends the event: the functions of the expression see what he sees. */
  reach: Reach;
}

/**
 * The result of an event type's expression on a body, as JSON; undefined where it gives nothing. Throws DomainError `unprocessable` where the
 * expression fails.
 */
export async function evaluateEvent(
  { expression, body, reach }: Evaluating,
  { expressions, publicUrl }: { expressions: ExpressionPool; publicUrl: string },
): Promise<string | undefined> {
  if (expression === undefined || expression.trim() === '') {
    throw unprocessable('the event type has no expression yet', 'jsonata');
  }
  const { organization } = reach;
  const look = answerLookups(reach, publicUrl);
  const evaluation = await expressions.evaluate({ expression, organization, body, look });
  if ('fault' in evaluation) throw expressionRefusal(evaluation.fault);
  return evaluation.result;
}
