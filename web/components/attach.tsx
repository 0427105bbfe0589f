import type { JSX } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { AttachIcon, CameraIcon } from './icons.tsx';
import { TEXTS } from './texts.ts';
import type { UploadedFile } from './types.ts';
import type { UploadTarget, Uploads } from './uploads.ts';
import { loadPart } from './version.ts';

type AddFiles = (files: Iterable<File>) => void;

interface Attachments {
  add: AddFiles;
  /** The files, with their progress. */
  list: JSX.Element | null;
  /** No file can be sent yet. */
  isUploading: boolean;
  files: readonly UploadedFile[];
  /** Returns the uploaded files, by default all, and removes them from the list. */
  take: (files?: readonly UploadedFile[]) => UploadedFile[];
}

/** Uploads the files of a composer. The code is loaded with the first file. */
export function useAttachments(target: () => UploadTarget): Attachments {
  const [, render] = useReducer((turn: number) => turn + 1, 0);
  const code = useRef<{ uploads: Uploads; List: (props: { uploads: Uploads }) => JSX.Element | null } | null>(
    null,
  );
  const [isMissing, setMissing] = useState(false);
  const load = async () => {
    const { createUploads, UploadList: List } = await loadPart(() => import('./upload-list.tsx'));
    code.current ??= { uploads: createUploads(target, () => render(undefined)), List };
    return code.current.uploads;
  };
  const { uploads, List } = code.current ?? {};
  const all = uploads?.all() ?? [];
  return {
    add(files) {
      // A file list becomes empty when its input is reset.
      const added = [...files];
      setMissing(false);
      load().then(
        (loaded) => loaded.add(added),
        () => setMissing(true),
      );
    },
    list: isMissing ? (
      <p class="uploads why" role="alert">
        {TEXTS.uploadFailed}
      </p>
    ) : uploads && List ? (
      <List uploads={uploads} />
    ) : null,
    isUploading: all.some(({ state }) => state === 'sending' || state === 'waiting'),
    files: all.flatMap(({ state, uploaded }) => (state === 'sent' && uploaded ? [uploaded] : [])),
    take: (files) => uploads?.take(files) ?? [],
  };
}

const IS_TOUCHED = matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Chooses files, and on a phone takes pictures. */
export function AttachButtons({ add }: { add: AddFiles }) {
  return (
    <>
      <FileButton label={TEXTS.attach} icon={<AttachIcon />} add={add} multiple />
      {IS_TOUCHED ? (
        <FileButton
          label={TEXTS.takePicture}
          icon={<CameraIcon />}
          add={add}
          accept="image/*"
          capture="environment"
        />
      ) : null}
    </>
  );
}

interface FileButtonProps {
  multiple?: true;
  accept?: string;
  /** Opens the camera on a phone. */
  capture?: 'environment';
  label: string;
  icon: JSX.Element;
  add: AddFiles;
}

function FileButton({ label, icon, add, ...input }: FileButtonProps) {
  return (
    <label class="attach" title={label}>
      <input
        {...input}
        type="file"
        class="hidden"
        aria-label={label}
        onChange={({ currentTarget }) => {
          add(currentTarget.files ?? []);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {icon}
    </label>
  );
}

/** Takes the files that are dropped anywhere on the page. Returns whether files are above it. */
export function useDroppedFiles(add: AddFiles): boolean {
  const [isAbove, setAbove] = useState(false);
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Otherwise the browser opens the file instead of the page.
      event.preventDefault();
      setAbove(event.type === 'dragover');
      if (event.type === 'drop') latest.current(event.dataTransfer?.files ?? []);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setAbove(false);
    document.addEventListener('dragover', over);
    document.addEventListener('drop', over);
    document.addEventListener('dragleave', leave);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', over);
      document.removeEventListener('dragleave', leave);
    };
  }, []);
  return isAbove;
}

/** Adds pasted files, such as screenshots. Text is pasted as usual. */
export function pasteFiles(event: ClipboardEvent, add: AddFiles): void {
  const { files = [], types = [] } = event.clipboardData ?? {};
  // Programs for documents paste a picture of the text beside the text.
  if (files.length === 0 || types.includes('text/plain')) return;
  event.preventDefault();
  add(files);
}
