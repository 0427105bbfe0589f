import type { DomainError } from '../../../domain/errors.ts';
import { unprocessable } from '../../../domain/errors.ts';
import { loadEventPath, expressionError } from '../../../application/business-events/result-parts.ts';
import { LIMITS } from '../../../application/expressions/protocol.ts';
import type { Api, ApiRequest } from '../../request.ts';

/**
 * Throws DomainError `unprocessable` if the expression is too long or does not parse (spec 8.1).
 */
export async function assertValidExpression(
  expression: string,
  { principal }: Pick<ApiRequest, 'principal'>,
  { expressions, admissionQueues }: Pick<Api, 'expressions' | 'admissionQueues'>,
): Promise<void> {
  if (Buffer.byteLength(expression) > LIMITS.expressionBytes) throw expressionTooLongError();
  // Checks do not wait in the event type's queue, so that a flooded type can be repaired.
  const path = await loadEventPath(principal.organization, 'check');
  const evaluation = await admissionQueues.expressions.run(path, (spent) =>
    expressions.check({ expression, path, spent }),
  );
  if ('fault' in evaluation) throw expressionError(evaluation.fault);
}

function expressionTooLongError(): DomainError {
  return unprocessable(`must not exceed ${LIMITS.expressionBytes / 1024} KiB`, 'expression');
}
