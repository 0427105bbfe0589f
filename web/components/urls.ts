export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * Returns whether the URL is of another origin on the page's host. Such an origin receives the
 * page's cookies.
 */
export function isNeighbour(url: URL, page: Pick<URL, 'hostname' | 'origin'>): boolean {
  // A fully qualified host name may end with a dot.
  const [host, own] = [url.hostname, page.hostname].map((name) => name.replace(/\.$/, ''));
  return host === own && url.origin !== page.origin;
}
