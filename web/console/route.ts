import { useLayoutEffect, useState } from 'preact/hooks';

/** Where in the console one is: `#/inbox/mine/65f…` is `['inbox', 'mine', '65f…']`. */
export type Place = readonly string[];

export function placeOf(hash: string): Place {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponentSafely);
}

/** The address of a place, for links. */
export function hrefOf(...place: string[]): string {
  return `#/${place.map(encodeURIComponent).join('/')}`;
}

export function goTo(...place: string[]): void {
  location.hash = hrefOf(...place);
}

/** The place that the address names, also after it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  // Before the browser handles the next event: it may be a click on a link.
  useLayoutEffect(() => {
    const changed = () => setPlace(placeOf(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return place;
}

function decodeURIComponentSafely(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
