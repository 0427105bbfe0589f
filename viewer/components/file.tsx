import { fileName, linkTarget } from './html.ts';
import { Picture } from './picture.tsx';
import { TEXTS } from './texts.ts';

/** Endings by which an address is taken for that of a file. */
const PICTURES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg'];
const OTHERS =
  'pdf doc docx odt rtf txt md xls xlsx ods csv ppt pptx odp zip gz 7z mp3 wav ogg m4a mp4 mov webm ics vcf json xml heic';
const FILES = [...PICTURES, ...OTHERS.split(' ')];

/** The ending of a file's address in lower case; null for an address that names no file. */
export function fileKind(url: string): string | null {
  const [, ending = ''] = /\.(\w{1,5})$/.exec(new URL(url).pathname.toLowerCase()) ?? [];
  return FILES.includes(ending) ? ending : null;
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
        {fileName(url)}
        {PICTURES.includes(kind) ? <small> {kind.toUpperCase()}</small> : null}
      </span>
    </a>
  );
}
