import { invalidRequest } from '../../domain/refusal.ts';

/** Throws DomainError `invalid_request` for a parameter of the query that is not one of `known`. */
export function assertKnownParameters(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names)
    if (!known.includes(name)) throw invalidRequest(name, 'is not a parameter of this request');
}
