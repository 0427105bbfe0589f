import { useLayoutEffect, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** `#/inbox/mine/65f…` is `['inbox', 'mine', '65f…']`. */
export type RoutePath = readonly string[];

export function parseHash(hash: string): RoutePath {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(safeDecodeURIComponent);
}

export function formatHref(...place: string[]): string {
  return `#/${place.map(encodeURIComponent).join('/')}`;
}

export function goTo(...place: string[]): void {
  location.hash = formatHref(...place);
}

export function useRoutePath(): RoutePath {
  const [place, setPlace] = useState(() => parseHash(location.hash));
  // `useEffect` runs later and could miss a click.
  useLayoutEffect(() => {
    const changed = () => setPlace(parseHash(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return place;
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
