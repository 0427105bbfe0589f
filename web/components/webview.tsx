import { useEffect, useRef } from 'preact/hooks';
import { webUrl } from './html.ts';
import { readHost } from './links.ts';
import { stripDirection } from './shown-text.ts';
import { TEXTS } from './texts.ts';
import type { Action } from './types.ts';

/** Shows a page in a frame (spec 6.2). The link is for pages that cannot be framed. */
export function Webview({ action, close }: { action: Action; close: () => void }) {
  const title = stripDirection(action.text);
  const dialog = useRef<HTMLDialogElement>(null);
  const uri = webUrl(action.uri) ?? '';
  const fallback = webUrl(action.fallback) ?? uri;
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={`webview ${action.size ?? 'compact'}`} aria-label={title} onClose={close}>
      <header>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <a href={fallback} title={readHost(fallback)} target="_blank" rel="noopener noreferrer">
          {TEXTS.openInTab}
        </a>
        <button type="button" onClick={() => dialog.current?.close()}>
          {TEXTS.close}
        </button>
      </header>
      <iframe src={uri} title={title} sandbox={permissions(uri)} referrerPolicy="no-referrer" />
    </dialog>
  );
}

/** A page of our own origin with scripts and `allow-same-origin` could leave the sandbox. */
function permissions(uri: string): string {
  const own = new URL(uri).origin === location.origin;
  return `allow-forms allow-popups allow-scripts${own ? '' : ' allow-same-origin'}`;
}
