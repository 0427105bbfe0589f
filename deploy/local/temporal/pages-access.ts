import type { IncomingMessage } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why a request must not reach Temporal's pages, which know no users, or undefined. A website whose
 * name is made to resolve to this machine sends its own name as `Host`, and a website that sends a
 * request to another origin cannot hide that from the browser's headers. `names` are
 * permitted besides the names of loopback.
 */
export function findAccessProblem(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  names: readonly string[],
): string | undefined {
  const host = parseUrl(`http://${headers.host ?? ''}`);
  if (host === undefined || ![...LOOPBACK, ...names].includes(host.hostname))
    return "These are Temporal's pages of this machine: open them as localhost, or set TEMPORAL_UI_URL to their address.";
  if (!url.startsWith('/')) return 'The target of the request is not a path.';
  const { origin } = headers;
  if (origin !== undefined && parseUrl(origin)?.host !== host.host)
    return 'Requests from other origins are refused.';
  const isLink = method === 'GET' && headers['sec-fetch-dest'] === 'document';
  if (isFromElsewhere(headers['sec-fetch-site']) && !isLink) return 'Requests from other pages are refused.';
  return undefined;
}

/** Another port of the same host is `same-site`. */
function isFromElsewhere(site: string | string[] | undefined): boolean {
  return site === 'cross-site' || site === 'same-site';
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
