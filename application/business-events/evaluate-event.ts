import { unprocessable } from '../../domain/refusal.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { ExpressionPool } from '../expressions/pool.ts';
import { eventLine } from './event-line.ts';
import { answerLookups } from './lookups.ts';
import { expressionRefusal } from './refusal.ts';

interface Evaluating {
  /** Of the event type. */
  name: string;
  expression: string | undefined;
  /** JSON. */
  body: string;
  /** Who sends the event: the functions of the expression see what they see. */
  reach: Reach;
  /** Told what running the expression cost, in milliseconds, also where it fails. */
  spent: (costMs: number) => void;
}

/**
 * The result of an event type's expression on a body, as JSON; undefined where it gives nothing.
 * Throws DomainError `unprocessable` where the expression fails.
 */
export async function evaluateEvent(
  { name, expression, body, reach, spent }: Evaluating,
  { expressions, publicUrl }: { expressions: ExpressionPool; publicUrl: string },
): Promise<string | undefined> {
  if (expression === undefined || expression.trim() === '') {
    throw unprocessable('the event type has no expression yet', 'jsonata');
  }
  const line = await eventLine(reach.organization, name);
  const look = answerLookups(reach, publicUrl);
  const evaluation = await expressions.evaluate({ expression, line, body, look, spent });
  if ('fault' in evaluation) throw expressionRefusal(evaluation.fault);
  return evaluation.result;
}
