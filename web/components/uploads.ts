import { MAX_FILE_BYTES } from '../../domain/files/media.ts';
import type { UploadedFile } from './types.ts';

/** Where files are sent, by the page's own rights. */
export interface UploadTarget {
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface FileUpload {
  id: number;
  file: File;
  state: 'waiting' | 'sending' | 'sent' | 'failed';
  part: number;
  /** Reason of a failure, in the server's words. Absent if the server was unreachable. */
  why?: string;
  isTooLarge?: boolean;
  /** Address of a picture in memory. */
  preview?: string;
  uploaded?: UploadedFile;
}

/** The server accepts few uploads of a caller at once. */
const MAX_AT_ONCE = 3;
const PREVIEWED = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

export interface Uploads {
  all: () => readonly FileUpload[];
  add: (files: Iterable<File>) => void;
  retry: (id: number) => void;
  /** Cancels an upload, or forgets an uploaded file. The server removes it after a day. */
  remove: (id: number) => void;
  /** Returns the uploaded files in order, by default all, and forgets them. */
  take: (files?: readonly UploadedFile[]) => UploadedFile[];
}

/** Uploads files one after another, a few at once. Calls `changed` after each change. */
export function createUploads(target: () => UploadTarget, changed: () => void): Uploads {
  let all: readonly FileUpload[] = [];
  let lastId = 0;
  const cancels = new Map<number, AbortController>();

  function update(id: number, fields: Partial<FileUpload>): void {
    all = all.map((one) => (one.id === id ? { ...one, ...fields } : one));
    changed();
  }

  function forget(ids: ReadonlySet<number>): void {
    for (const { preview } of all.filter(({ id }) => ids.has(id))) if (preview) URL.revokeObjectURL(preview);
    all = all.filter(({ id }) => !ids.has(id));
    changed();
  }

  async function start({ id, file }: FileUpload): Promise<void> {
    const cancel = new AbortController();
    cancels.set(id, cancel);
    update(id, { state: 'sending', part: 0 });
    const sent = await sendFile(file, target(), {
      signal: cancel.signal,
      progress: (part) => update(id, { part }),
    });
    cancels.delete(id);
    if (cancel.signal.aborted) return;
    if ('uploaded' in sent) update(id, { state: 'sent', part: 1, uploaded: sent.uploaded });
    else update(id, { state: 'failed', ...sent });
  }

  function startNext(): void {
    while (cancels.size < MAX_AT_ONCE) {
      const next = all.find(({ state }) => state === 'waiting');
      if (!next) return;
      void start(next).then(startNext);
    }
  }

  return {
    all: () => all,
    add(files) {
      const added = Array.from(files, (file) => newUpload(++lastId, file));
      all = [...all, ...added];
      changed();
      startNext();
    },
    retry(id) {
      const { why: _, ...found } = all.find((one) => one.id === id) ?? {};
      all = all.map((one) => (one.id === id ? ({ ...found, state: 'waiting' } as FileUpload) : one));
      startNext();
    },
    remove(id) {
      cancels.get(id)?.abort();
      cancels.delete(id);
      forget(new Set([id]));
      startNext();
    },
    take(files) {
      const sent = all.filter(({ uploaded }) => uploaded && (files?.includes(uploaded) ?? true));
      forget(new Set(sent.map(({ id }) => id)));
      return sent.flatMap(({ uploaded }) => uploaded ?? []);
    },
  };
}

function newUpload(id: number, file: File): FileUpload {
  const isTooLarge = file.size > MAX_FILE_BYTES;
  const preview = PREVIEWED.includes(file.type) ? { preview: URL.createObjectURL(file) } : {};
  return { id, file, part: 0, isTooLarge, state: isTooLarge ? 'failed' : 'waiting', ...preview };
}

type Sent = { uploaded: UploadedFile } | { why?: string };

interface Sending {
  progress: (part: number) => void;
  signal: AbortSignal;
}

/** Never rejects. `fetch` reports no progress of uploads. */
function sendFile(file: File, { url, headers }: UploadTarget, { progress, signal }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${url}${url.includes('?') ? '&' : '?'}name=${encodeURIComponent(file.name)}`);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(readResponse(request));
    request.onerror = request.onabort = () => resolve({});
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function readResponse({ status, responseText }: XMLHttpRequest): Sent {
  try {
    const answer = JSON.parse(responseText) as UploadedFile & { message?: string };
    if (status === 201) return { uploaded: answer };
    return answer.message === undefined ? {} : { why: answer.message };
  } catch {
    return {};
  }
}
