/**
 * Returns whether a URL has the page's host but another port or scheme. Cookies ignore ports, so
 * that server would receive the page's cookies.
 */
export function isNeighbour(url: URL, page: Pick<URL, 'hostname' | 'origin'>): boolean {
  return withoutDot(url.hostname) === withoutDot(page.hostname) && url.origin !== page.origin;
}

/** A full host name may end with a dot. */
function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}
