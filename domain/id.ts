import { invalidRequest } from './errors.ts';

/** How an id is written (spec 2.1). */
export const ID = /^[0-9a-f]{24}$/;

/**
 * The given text, which is an id. Throws DomainError `invalid_request`, naming the parameter, where
 * it is none.
 */
export function parseId(text: string, name: string): string {
  if (!ID.test(text)) throw invalidRequest(name, 'must be an id, 24 hexadecimal digits');
  return text;
}
