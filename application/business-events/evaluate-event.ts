import { unprocessable } from '../../domain/refusal.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { ExpressionPool } from '../expressions/pool.ts';
import { loadEventPath } from './event-line.ts';
import { createLookupResolver } from './lookups.ts';
import { expressionError } from './refusal.ts';

interface EvaluationInput {
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
  { name, expression, body, reach, spent }: EvaluationInput,
  { expressions, publicUrl }: { expressions: ExpressionPool; publicUrl: string },
): Promise<string | undefined> {
  if (expression === undefined || expression.trim() === '') {
    throw unprocessable('the event type has no expression yet', 'jsonata');
  }
  const line = await loadEventPath(reach.organization, name);
  const resolveLookup = createLookupResolver(reach, publicUrl);
  const evaluation = await expressions.evaluate({ expression, line, body, resolveLookup, spent });
  if ('fault' in evaluation) throw expressionError(evaluation.fault);
  return evaluation.result;
}
