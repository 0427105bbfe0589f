import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CloseIcon, NextIcon, PreviousIcon } from './icons.tsx';
import { stripDirection } from './shown-text.ts';
import { TEXTS } from './texts.ts';

interface Shown {
  url: string;
  name: string;
}

/** Shows the picture of a link above the page, and leads to the other pictures of the page. */
export function openViewer(link: HTMLAnchorElement): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a.image.own')];
  const pictures = links.map((one) => ({ url: one.href, name: one.title }));
  const place = document.body.appendChild(document.createElement('div'));
  const close = () => {
    render(null, place);
    place.remove();
    link.focus();
  };
  render(<Viewer pictures={pictures} first={Math.max(0, links.indexOf(link))} close={close} />, place);
}

interface Props {
  pictures: readonly Shown[];
  first: number;
  close: () => void;
}

function Viewer({ pictures, first, close }: Props) {
  const [at, setAt] = useState(first);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { url = '', name = '' } = pictures[at] ?? {};
  const go = (by: number) => setAt((now) => Math.min(pictures.length - 1, Math.max(0, now + by)));
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={stripDirection(name)}
      onClose={close}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close();
      }}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') go(-1);
        if (key === 'ArrowRight') go(1);
      }}
    >
      <header>
        <bdi>{stripDirection(name)}</bdi>
        <a href={url} target="_blank" rel="noopener noreferrer">
          {TEXTS.openInTab}
        </a>
        <button type="button" aria-label={TEXTS.close} onClick={() => dialog.current?.close()}>
          <CloseIcon />
        </button>
      </header>
      <img src={url} alt={name} />
      {pictures.length > 1 ? (
        <nav>
          <button type="button" aria-label={TEXTS.previous} disabled={at === 0} onClick={() => go(-1)}>
            <PreviousIcon />
          </button>
          <span>
            {at + 1} / {pictures.length}
          </span>
          <button
            type="button"
            aria-label={TEXTS.next}
            disabled={at === pictures.length - 1}
            onClick={() => go(1)}
          >
            <NextIcon />
          </button>
        </nav>
      ) : null}
    </dialog>
  );
}
