import { DomainError } from '../../domain/errors.ts';

/** Where a webhook goes, taken apart for the request. */
export interface WebhookTarget {
  origin: string;
  /** Path and query. */
  path: string;
  /**
   * From credentials in the url (spec 7.7): they are sent as a header, never as part of an address.
   */
  authorization?: string;
}

/**
 * Throws DomainError `invalid_request` unless the text is an absolute http or https url. The
 * message never repeats it.
 */
export function checkWebhookUrl(text: string): void {
  parseTarget(text);
}

/**
 * Takes a webhook's url apart. Throws DomainError `invalid_request` unless it is an absolute http
 * or https url.
 */
export function parseTarget(text: string): WebhookTarget {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new DomainError('invalid_request', 'A webhook needs an absolute http or https url.');
  }
  const { username, password } = url;
  const authorization =
    username || password
      ? { authorization: basicAuthorization(decodeText(username), decodeText(password)) }
      : {};
  return { origin: url.origin, path: `${url.pathname}${url.search}`, ...authorization };
}

/** The url with more query parameters, its own kept as they are. */
export function withQuery(text: string, parameters: Record<string, string>): string {
  const url = new URL(text);
  const added = new URLSearchParams(parameters).toString();
  url.search = url.search ? `${url.search}&${added}` : added;
  return url.href;
}

function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
