import { createContext } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { fileName, linkTarget, webUrl } from './html.ts';
import { getInitials } from './shown-text.ts';
import { TEXTS } from './texts.ts';
import type { MessageAuthor } from './types.ts';

/** Whether pictures load only on request, because loading reveals the reader's IP address. */
export const PicturesOnRequest = createContext(false);

interface Props {
  url: string;
  alt: string;
  missing: JSX.Element;
  class?: string;
}

/** Pass the URL as `key`, because only a new component loads a changed URL after a failure. */
export function Picture({ url, alt, missing, class: name }: Props) {
  const [isMissing, setMissing] = useState(false);
  const isOnRequest = useContext(PicturesOnRequest);
  if (isMissing || isOnRequest || webUrl(url) === null) return missing;
  return <img class={name} src={url} alt={alt} loading="lazy" onError={() => setMissing(true)} />;
}

export function OnRequest({ url, children }: { url: string; children: ComponentChildren }) {
  const isOnRequest = useContext(PicturesOnRequest);
  const [isRequested, setRequested] = useState(false);
  if (!isOnRequest) return <>{children}</>;
  if (isRequested) return <PicturesOnRequest.Provider value={false}>{children}</PicturesOnRequest.Provider>;
  return (
    <span class="offer">
      <a href={url} {...linkTarget(url)}>
        {fileName(url)}
      </a>{' '}
      <button type="button" class="action" onClick={() => setRequested(true)}>
        {TEXTS.showPicture(new URL(url).host)}
      </button>
    </span>
  );
}

/** The avatar is hidden from screen readers, because the name is next to it. */
export function Avatar({ author: { name = '', avatar } }: { author: MessageAuthor }) {
  const url = webUrl(avatar);
  const letters = (
    <span class="avatar" aria-hidden="true">
      {getInitials(name)}
    </span>
  );
  return url === null ? letters : <Picture key={url} class="avatar" url={url} alt="" missing={letters} />;
}
