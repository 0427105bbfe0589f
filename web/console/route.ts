import { useLayoutEffect, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** Where in the console one is: `#/inbox/mine/65f…` is `['inbox', 'mine', '65f…']`. */
export type RoutePath = readonly string[];

export function parseHash(hash: string): RoutePath {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(safeDecodeURIComponent);
}

/** The address of a place, for links. */
export function formatHref(...place: string[]): string {
  return `#/${place.map(encodeURIComponent).join('/')}`;
}

export function goTo(...place: string[]): void {
  location.hash = formatHref(...place);
}

/** The place that the address names, also after it changes. */
export function useRoutePath(): RoutePath {
  const [place, setPlace] = useState(() => parseHash(location.hash));
  // Before the browser handles the next event: it may be a click on a link.
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

/** What every screen is given. */
export interface ScreenProps {
  session: Session;
  /** What the address says after the screen's own word. */
  place: RoutePath;
}
