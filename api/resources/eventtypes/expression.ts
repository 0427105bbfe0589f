import type { DomainError } from '../../../domain/errors.ts';
import { unprocessable } from '../../../domain/refusal.ts';
import { eventLine } from '../../../application/business-events/event-line.ts';
import { expressionRefusal } from '../../../application/business-events/refusal.ts';
import { LIMITS } from '../../../application/expressions/limits.ts';
import { passing } from '../../limits/door.ts';
import type { Api, ApiRequest } from '../../request.ts';

/**
 * Throws DomainError `unprocessable` with position and reason for an expression that cannot be read
 * (spec 8.1).
 */
export async function refuseUnreadable(
  expression: string,
  { principal }: Pick<ApiRequest, 'principal'>,
  { expressions, doors }: Pick<Api, 'expressions' | 'doors'>,
): Promise<void> {
  if (Buffer.byteLength(expression) > LIMITS.expressionBytes) throw tooLong();
  // Not in the line of any event type: one that floods can still be mended.
  const line = await eventLine(principal.organization, 'check');
  const evaluation = await passing(doors.expressions, line, (spent) =>
    expressions.check({ expression, line, spent }),
  );
  if ('fault' in evaluation) throw expressionRefusal(evaluation.fault);
}

function tooLong(): DomainError {
  return unprocessable(`must not exceed ${LIMITS.expressionBytes / 1024} KiB`, 'expression');
}
