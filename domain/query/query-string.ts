import { invalidRequest, DomainError } from '../errors.ts';

/** Room for 100 conditions and all other parameters. */
const MAX_PARAMETERS = 120;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Throws DomainError `invalid_request` for too many or repeated parameters, or invalid encoding.
 */
export function parseParameters(querystring: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const pairs = querystring.split('&').filter((part) => part !== '');
  if (pairs.length > MAX_PARAMETERS) {
    throw invalidRequest('query', `takes ${MAX_PARAMETERS} parameters at most`);
  }
  for (const pair of pairs) {
    const middle = pair.indexOf('=');
    const name = decodeText(middle < 0 ? pair : pair.slice(0, middle));
    if (parameters.has(name)) throw invalidRequest(name, 'must not be repeated');
    parameters.set(name, middle < 0 ? '' : decodeText(pair.slice(middle + 1)));
  }
  return parameters;
}

function decodeText(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (!plain.includes('\0') && !LONE_SURROGATE.test(plain)) return plain;
  } catch {
    // Broken encoding is rejected below.
  }
  throw invalidRequest('query', 'is not properly encoded');
}

export function assertNoParameters(querystring: string): void {
  const [first] = parseParameters(querystring).keys();
  if (first !== undefined) throw invalidRequest(first, 'is not a parameter of this request');
}

/** Adds the position in the decoded value, from 1. */
export function parameterErrorAt(name: string, at: number, rule: string): DomainError {
  const message = `${rule}, at character ${at + 1}`;
  return new DomainError('invalid_request', `${name}: ${message}`, { details: [{ path: name, message }] });
}
