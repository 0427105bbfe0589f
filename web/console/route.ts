import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** `#/inbox/mine/65f…` is `['inbox', 'mine', '65f…']`. */
export type RoutePath = readonly string[];

/** `#/inbox/all?category=sales` is `{ category: 'sales' }`. */
export type RouteQuery = Readonly<Record<string, string>>;

export function parseHash(hash: string): RoutePath {
  return splitHash(hash)
    .path.replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(safeDecodeURIComponent);
}

export function parseHashQuery(hash: string): RouteQuery {
  return Object.fromEntries(new URLSearchParams(splitHash(hash).query));
}

export function formatHref(...place: string[]): string {
  return `#/${place.map(encodeURIComponent).join('/')}`;
}

/** Leaves out empty values. */
export function formatHrefWith(query: Partial<RouteQuery>, ...place: string[]): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `${formatHref(...place)}${search === '' ? '' : `?${search}`}`;
}

export function goTo(...place: string[]): void {
  pushRoute(formatHref(...place));
}

/** The event of the browser may come after the next click, which would act on the former route. */
export function pushRoute(href: string): void {
  if (href === location.hash) return;
  history.pushState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes the address without an entry in the history. */
export function replaceRoute(href: string): void {
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Links change the route at once, too. */
export function followLinks(): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href') ?? '';
    if (!href.startsWith('#/') || link?.target) return;
    event.preventDefault();
    pushRoute(href);
  });
}

export function useRoutePath(): RoutePath {
  const hash = useHash();
  return useMemo(() => parseHash(hash), [hash]);
}

export function useRouteQuery(): RouteQuery {
  const hash = useHash();
  return useMemo(() => parseHashQuery(hash), [hash]);
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  // `useEffect` runs later and could miss a click.
  useLayoutEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return hash;
}

function splitHash(hash: string): { path: string; query: string } {
  const at = hash.indexOf('?');
  return at < 0 ? { path: hash, query: '' } : { path: hash.slice(0, at), query: hash.slice(at + 1) };
}

function safeDecodeURIComponent(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export interface ScreenProps {
  session: Session;
  /** Path after the name of the screen. */
  place: RoutePath;
}
