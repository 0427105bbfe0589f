import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AttachButtons, pasteFiles, useAttachments, useDroppedFiles } from './attach.tsx';
import { isComposing } from './typing-signal.ts';
import { SendIcon } from './icons.tsx';
import { MAX_CHARACTERS, hasVisibleText } from './shown-text.ts';
import { TEXTS } from './texts.ts';
import type { UploadedFile } from './types.ts';
import type { UploadTarget } from './uploads.ts';

interface Props {
  say: (text: string, files: readonly UploadedFile[]) => void;
  uploadTarget: () => UploadTarget;
  loadDraft: () => string;
  write: (text: string) => void;
  /** Increases each time the reader must type a location. */
  asksPlace: number;
}

/** Phones have no Shift+Enter, so Enter starts a new line there. */
const IS_TOUCHED = matchMedia('(hover: none) and (pointer: coarse)').matches;

export function Composer({ say, uploadTarget, loadDraft, write: tell, asksPlace }: Props) {
  const attachments = useAttachments(uploadTarget);
  const isAbove = useDroppedFiles(attachments.add);
  const [text, setText] = useState(loadDraft);
  const write = (next: string) => {
    setText(next);
    tell(next);
  };
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (asksPlace > 0) field.current?.focus();
  }, [asksPlace]);
  useLayoutEffect(() => fitHeight(field.current), [text]);
  const excess = text.length - MAX_CHARACTERS;
  const send = (event: Event) => {
    event.preventDefault();
    if (attachments.isUploading || excess > 0 || !(hasVisibleText(text) || attachments.files.length > 0))
      return;
    say(hasVisibleText(text) ? text.trim() : '', attachments.take());
    write('');
    field.current?.focus();
  };
  return (
    <form class={isAbove ? 'composer above' : 'composer'} onSubmit={send}>
      {isAbove ? <p class="drop">{TEXTS.dropHere}</p> : null}
      {excess > 0 ? (
        <p class="why" role="alert">
          {TEXTS.tooLong(excess)}
        </p>
      ) : null}
      {attachments.list}
      <AttachButtons add={attachments.add} />
      <label for="say" class="hidden">
        {asksPlace > 0 ? TEXTS.place : TEXTS.message}
      </label>
      <textarea
        id="say"
        ref={field}
        rows={1}
        enterkeyhint={IS_TOUCHED ? 'enter' : 'send'}
        placeholder={asksPlace > 0 ? TEXTS.writePlace : TEXTS.writeMessage}
        value={text}
        onPaste={(event) => pasteFiles(event, attachments.add)}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (isSendKey(event)) send(event);
        }}
      />
      <button
        type="submit"
        aria-label={TEXTS.send}
        aria-disabled={attachments.isUploading}
        title={attachments.isUploading ? TEXTS.waitForUploads : undefined}
      >
        <SendIcon />
      </button>
    </form>
  );
}

function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey || (!event.shiftKey && !IS_TOUCHED);
}

function fitHeight(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + 2}px`;
}
