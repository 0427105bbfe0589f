import { useContext } from 'preact/hooks';
import type { Media as MediaFacts } from '../../domain/files/media.ts';
import { formatBytes } from './file-size.ts';
import { OnRequest, Picture, PicturesOnRequest } from './picture.tsx';
import { stripDirection } from './shown-text.ts';
import { TEXTS } from './texts.ts';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Shows the file of a message (spec 6.11). */
export function Media({ url, media }: { url: string; media: MediaFacts }) {
  // Files of the product reveal nothing to other hosts.
  const isOwn = new URL(url).origin === location.origin;
  const isOnRequest = useContext(PicturesOnRequest) && !isOwn;
  return (
    <PicturesOnRequest.Provider value={isOnRequest}>
      <OnRequest key={url} url={url}>
        <Shown url={url} media={media} isOwn={isOwn} />
      </OnRequest>
    </PicturesOnRequest.Provider>
  );
}

function Shown({ url, media, isOwn }: { url: string; media: MediaFacts; isOwn: boolean }) {
  const name = stripDirection(media.name);
  const { type } = media;
  if (PICTURES.includes(type)) {
    const missing = <>{TEXTS.pictureMissing(name)}</>;
    return (
      <a
        class={isOwn ? 'image own' : 'image'}
        href={url}
        title={name}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || !isOwn) return;
          event.preventDefault();
          const link = event.currentTarget;
          void import('./viewer.tsx').then(
            ({ openViewer }) => openViewer(link),
            () => window.open(url, '_blank', 'noopener'),
          );
        }}
      >
        <Picture url={url} alt={name} missing={missing} />
      </a>
    );
  }
  if (type.startsWith('audio/')) {
    return (
      <figure class="player">
        <audio controls preload="none" src={url} aria-label={name} />
        <FileCard url={url} media={media} />
      </figure>
    );
  }
  if (type.startsWith('video/')) {
    return (
      <figure class="player">
        <video controls preload="metadata" src={url} aria-label={name} />
        <FileCard url={url} media={media} />
      </figure>
    );
  }
  return <FileCard url={url} media={media} />;
}

function FileCard({ url, media: { name, type, bytes } }: { url: string; media: MediaFacts }) {
  const shown = stripDirection(name);
  const [, stem = shown, ending = ''] = /^(.+)(\.[^.]{1,12})$/.exec(shown) ?? [];
  const kind = ending === '' ? (type.split('/')[1] ?? '').slice(0, 8) : ending.slice(1);
  return (
    <a class="file" href={url} target="_blank" rel="noopener noreferrer">
      <span class="kind">
        <span class="hidden">{TEXTS.file} </span>
        {kind.toUpperCase()}
      </span>
      <span>
        <span dir="ltr">
          <bdi>{stem}</bdi>
          <bdi>{ending}</bdi>
        </span>{' '}
        <small>{formatBytes(bytes)}</small>
      </span>
    </a>
  );
}
