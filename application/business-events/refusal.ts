import { DomainError } from '../../domain/errors.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { ExpressionFault } from '../expressions/protocol.ts';

/** An expression that failed, as the one who sent the event is told: 422 (spec 8.2). */
export function expressionError({ message, place }: ExpressionFault): DomainError {
  const said = place === undefined ? message : `${message} (${place})`;
  return new DomainError('unprocessable', `expression: ${said}`, {
    details: [{ path: 'expression', message: said }],
  });
}

/**
 * Runs the work on a part of an expression's result. Whatever the rules refuse it with, the event
 * is one that makes no sense: `unprocessable`, which says where in the result. What is not refused
 * but failed is thrown as it is.
 */
export async function withPathPrefix<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const details = error.details?.map((detail) => ({ ...detail, path: `${path}.${detail.path}` }));
    throw new DomainError('unprocessable', `${path}: ${error.message}`, {
      details: details ?? [{ path, message: error.message }],
    });
  }
}
