/**
 * Returns whether an address is on the host of a page, but at another port or scheme. Cookies do
 * not know ports: a server there would receive those of the page.
 */
export function isNeighbour(url: URL, page: Pick<URL, 'hostname' | 'origin'>): boolean {
  return withoutDot(url.hostname) === withoutDot(page.hostname) && url.origin !== page.origin;
}

/** A full host name may end with a dot. */
function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}
