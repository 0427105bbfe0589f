import { DomainError } from '../errors.ts';

/**
 * 400 that says what is wrong with a parameter, and at which character of its decoded value (from
 * 1).
 */
export function parameterErrorAt(name: string, at: number, rule: string): DomainError {
  const message = `${rule}, at character ${at + 1}`;
  return new DomainError('invalid_request', `${name}: ${message}`, { details: [{ path: name, message }] });
}
