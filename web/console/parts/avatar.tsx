import { useState } from 'preact/hooks';
import { isNeighbour, parseUrl } from '../../components/urls.ts';
import { getInitials } from '../../components/shown-text.ts';

interface AvatarProps {
  name: string;
  /** Address of a picture. */
  url?: string | undefined;
}

const HUES = 12;

/**
 * A picture, or initials on a colour of the name. Hidden from screen readers, because the name is
 * beside it. Unlike web/components/picture.tsx, it does not load the sanitizer of messages.
 */
export function Avatar({ name, url }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const picture = findPicture(url);
  if (picture !== undefined && picture !== broken)
    return <img class="avatar" src={picture} alt="" loading="lazy" onError={() => setBroken(picture)} />;
  return (
    <span class={`avatar hue-${getHue(name)}`} aria-hidden="true">
      {getInitials(name) || '?'}
    </span>
  );
}

/** Returns undefined for an address on another port of the page's host (spec 12.3). */
export function findPicture(given: string | undefined): string | undefined {
  const url = given === undefined ? null : parseUrl(given, location.href);
  const isSafe = url && /^https?:$/.test(url.protocol) && !isNeighbour(url, location);
  return isSafe ? url.href : undefined;
}

function getHue(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % HUES;
}
