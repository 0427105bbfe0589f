import { invalidRequest, DomainError } from '../errors.ts';

/** More than the conditions that a list takes, and whatever else there is. */
const MAX_PARAMETERS = 120;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The parameters in order, decoded. Throws DomainError `invalid_request` where one is repeated or
 * its encoding is broken.
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
    // Said below, as for NUL characters.
  }
  throw invalidRequest('query', 'is not properly encoded');
}

/** Refuses every query parameter, for requests that know none. */
export function assertNoParameters(querystring: string): void {
  const [first] = parseParameters(querystring).keys();
  if (first !== undefined) throw invalidRequest(first, 'is not a parameter of this request');
}

/**
 * 400 that says what is wrong with a parameter, and at which character of its decoded value (from
 * 1).
 */
export function parameterErrorAt(name: string, at: number, rule: string): DomainError {
  const message = `${rule}, at character ${at + 1}`;
  return new DomainError('invalid_request', `${name}: ${message}`, { details: [{ path: name, message }] });
}
