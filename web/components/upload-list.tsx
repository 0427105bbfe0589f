import { CloseIcon, RetryIcon } from './icons.tsx';
import { formatBytes } from './file-size.ts';
import { stripDirection } from './shown-text.ts';
import { TEXTS } from './texts.ts';
import type { FileUpload, Uploads } from './uploads.ts';

export { createUploads } from './uploads.ts';

/** Lists the files that the next message will have. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const all = uploads.all();
  if (all.length === 0) return null;
  return (
    <ul class="uploads" aria-label={TEXTS.files}>
      {all.map((upload) => (
        <Row key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function Row({ upload, uploads }: { upload: FileUpload; uploads: Uploads }) {
  const { id, file, state, part, preview, isTooLarge } = upload;
  const name = stripDirection(file.name);
  return (
    <li class={state}>
      {preview ? <img src={preview} alt="" /> : <span class="kind">{kindOf(name)}</span>}
      <span class="name">
        <bdi>{name}</bdi> <small>{formatBytes(file.size)}</small>
        {state === 'sending' || state === 'waiting' ? (
          <progress max={1} value={part} aria-label={TEXTS.uploading(name)} />
        ) : null}
        {state === 'failed' ? (
          <span class="why" role="alert">
            {isTooLarge ? TEXTS.fileTooLarge : TEXTS.uploadFailed}{' '}
            {upload.why === undefined ? null : <span lang="en">{upload.why}</span>}
          </span>
        ) : null}
      </span>
      {state === 'failed' && !isTooLarge ? (
        <button type="button" aria-label={TEXTS.retryUpload(name)} onClick={() => uploads.retry(id)}>
          <RetryIcon />
        </button>
      ) : null}
      <button type="button" aria-label={TEXTS.removeUpload(name)} onClick={() => uploads.remove(id)}>
        <CloseIcon />
      </button>
    </li>
  );
}

function kindOf(name: string): string {
  return (/\.(\w{1,5})$/.exec(name)?.[1] ?? '…').toUpperCase();
}
