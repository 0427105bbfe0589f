import { webUrl } from './html.ts';
import { Picture } from './picture.tsx';
import type { MessageAuthor } from './types.ts';

/**
 * The picture of somebody, or the first letters of the name; silent, since the name stands beside
 * it.
 */
export function Avatar({ author: { name = '', avatar } }: { author: MessageAuthor }) {
  const url = webUrl(avatar);
  const letters = (
    <span class="avatar" aria-hidden="true">
      {initials(name)}
    </span>
  );
  return url === null ? letters : <Picture key={url} class="avatar" url={url} alt="" missing={letters} />;
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
