import { render } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { readMedia } from '../../domain/files/media.ts';
import { Media } from './media.tsx';
import { cleanHtml, fileName, linkTarget, linkUrl, webUrl } from './html.ts';
import { formatAddress, splitLinks } from './links.ts';
import { stripOverrides, hasVisibleText, stripDirection } from './shown-text.ts';
import { OnRequest, Picture, PicturesOnRequest } from './picture.tsx';
import { TEXTS } from './texts.ts';
import type { ChatMessage } from './types.ts';

const WHOLE_URL = /^https?:\/\/\S+$/i;

/** Agents receive `meta`, contacts only its `media`. */
type ShownMessage = Pick<ChatMessage, 'text' | 'contentType' | 'media'> & { meta?: Record<string, unknown> };

/** Shows media with an invalid URL as text (spec 6.1). */
export function Content({ message }: { message: ShownMessage }) {
  const { text, contentType = 'text/plain', media = readMedia(message.meta) } = message;
  const url = contentType === 'text/plain' || contentType === 'text/html' ? null : webUrl(text);
  if (contentType === 'text/html') return <Html html={text} />;
  if (url !== null && media) return <Media url={url} media={media} />;
  if (url === null) return hasVisibleText(text) ? <Text text={text} /> : null;
  if (contentType.startsWith('image/')) {
    return (
      <OnRequest key={url} url={url}>
        <a class="image" href={url} {...linkTarget(url)}>
          <Picture url={url} alt={TEXTS.picture} missing={<>{TEXTS.pictureMissing(fileName(url))}</>} />
        </a>
      </OnRequest>
    );
  }
  const kind = fileKind(url, contentType);
  if (kind !== null) return <File url={url} kind={kind} />;
  return (
    <div class="text">
      <a href={url} {...linkTarget(url)}>
        {formatAddress(text.trim())}
      </a>
    </div>
  );
}

function Html({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isOnRequest = useContext(PicturesOnRequest);
  useLayoutEffect(() => {
    const content = cleanHtml(html);
    if (isOnRequest) offerPictures(content);
    place.current?.replaceChildren(content);
  }, [html, isOnRequest]);
  return <div class="text html" ref={place} onErrorCapture={nameMissing} />;
}

function offerPictures(content: DocumentFragment): void {
  for (const picture of content.querySelectorAll('img')) {
    const [place, link] = [document.createElement('span'), picture.closest('a')];
    // HTML does not allow a button inside a link.
    link?.replaceWith(...link.childNodes);
    picture.replaceWith(place);
    render(
      <PicturesOnRequest.Provider value>
        <OnRequest url={picture.src}>
          <Picture
            url={picture.src}
            alt={picture.alt}
            missing={<>{TEXTS.pictureMissing(fileName(picture.src))}</>}
          />
        </OnRequest>
      </PicturesOnRequest.Provider>,
      place,
    );
  }
}

function nameMissing({ target }: Event): void {
  if (!(target instanceof HTMLImageElement)) return;
  const words = document.createElement(target.closest('a') ? 'span' : 'a');
  if (words instanceof HTMLAnchorElement)
    Object.assign(words, { href: target.src, ...linkTarget(target.src) });
  words.className = 'missing';
  words.textContent = TEXTS.pictureMissing(target.alt || fileName(target.src));
  target.replaceWith(words);
}

/** A text that consists of a file's URL is shown as a file. */
function Text({ text }: { text: string }) {
  const only = WHOLE_URL.test(text) ? webUrl(text) : null;
  const kind = only === null ? null : fileKind(only);
  if (only !== null && kind !== null) return <File url={only} kind={kind} />;
  // Translated pages replace the text nodes, so a changed text needs a new element.
  return (
    <div class="text" key={text}>
      {splitLinks(text).map((part) =>
        typeof part === 'string' || linkUrl(part.href) === null ? (
          stripOverrides(typeof part === 'string' ? part : part.text)
        ) : (
          <a href={part.href} {...linkTarget(part.href)}>
            <bdi>{part.href.startsWith('http') ? formatAddress(part.text) : stripDirection(part.text)}</bdi>
          </a>
        ),
      )}
    </div>
  );
}

const PICTURES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg'];
const OTHERS =
  'pdf doc docx odt rtf txt md xls xlsx ods csv ppt pptx odp zip gz 7z mp3 wav ogg m4a mp4 mov webm ics vcf json xml heic';
const FILES = [...PICTURES, ...OTHERS.split(' ')];

/** Endings of addresses at which servers produce a PDF. */
const PAGES = ['php', 'asp', 'aspx', 'ashx', 'cgi', 'jsp', 'do'];

function fileKind(url: string, contentType = ''): string | null {
  const [, ending = ''] = /\.(\w{1,5})$/.exec(fileName(url).toLowerCase()) ?? [];
  const hasPath = new URL(url).pathname !== '/';
  if (hasPath && FILES.includes(ending)) return ending;
  if (contentType !== 'application/pdf') return null;
  return hasPath && ending !== '' && !PAGES.includes(ending) ? ending : 'pdf';
}

/** Shows the extension last, even after a right-to-left name. */
function FileName({ name }: { name: string }) {
  const [, stem = name, ending = ''] = /^(.+)(\.[^.]{1,12})$/.exec(name) ?? [];
  return (
    <span dir="ltr">
      <bdi>{stem}</bdi>
      <bdi>{ending}</bdi>
    </span>
  );
}

function File({ url, kind }: { url: string; kind: string }) {
  const badge = (
    <span class="kind">
      <span class="hidden">{TEXTS.file} </span>
      {kind.toUpperCase()}
    </span>
  );
  return (
    <a class="file" href={url} {...linkTarget(url)}>
      {PICTURES.includes(kind) ? (
        <Picture key={url} class="thumbnail" url={url} alt="" missing={badge} />
      ) : (
        badge
      )}
      <span>
        <FileName name={fileName(url)} />
        {PICTURES.includes(kind) ? <small> {kind.toUpperCase()}</small> : null}
      </span>
    </a>
  );
}
