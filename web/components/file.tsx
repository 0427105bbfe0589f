import { fileName, linkTarget } from './html.ts';
import { Picture } from './picture.tsx';
import { TEXTS } from './texts.ts';

/** Endings by which an address is taken for that of a file. */
const PICTURES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg'];
const OTHERS =
  'pdf doc docx odt rtf txt md xls xlsx ods csv ppt pptx odp zip gz 7z mp3 wav ogg m4a mp4 mov webm ics vcf json xml heic';
const FILES = [...PICTURES, ...OTHERS.split(' ')];

/** Endings of what can run: they are named, whatever a message says that it is. */
const PROGRAMS = 'exe scr com bat cmd msi js jse vbs wsf hta lnk jar ps1 sh apk dmg pkg html htm svg';

/**
 * The ending of a file's address in lower case; null for an address that names no file. A message
 * that says it is a PDF is one unless its name ends otherwise.
 */
export function fileKind(url: string, contentType = ''): string | null {
  const [, ending = ''] = /\.(\w{1,5})$/.exec(fileName(url).toLowerCase()) ?? [];
  const hasPath = new URL(url).pathname !== '/';
  if (hasPath && FILES.includes(ending)) return ending;
  if (contentType !== 'application/pdf') return null;
  return hasPath && PROGRAMS.split(' ').includes(ending) ? ending : 'pdf';
}

/** The name of a file. What it truly ends with stands last, whatever way the name is read. */
export function FileName({ name }: { name: string }) {
  const [, stem = name, ending = ''] = /^(.+)(\.[^.]{1,12})$/.exec(name) ?? [];
  return (
    <span dir="ltr">
      <bdi>{stem}</bdi>
      <bdi>{ending}</bdi>
    </span>
  );
}

/** A file that a message points to: its kind, its name and, of a picture, a small one. */
export function File({ url, kind }: { url: string; kind: string }) {
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
