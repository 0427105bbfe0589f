import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { Problem } from './notices.tsx';

interface DialogProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

/** Escape closes the dialog, after a question if text was written. Closing restores the focus. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Escape may follow a key before the next rendering.
  const isWritten = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const leave = (event: Event) => {
    if (event.target !== dialog.current || !isWritten.current || isAsking) return;
    event.preventDefault();
    setAsking(true);
  };
  // In a passive effect, Escape could come before the dialog is open.
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      onCancel={leave}
      onInput={({ target }) => {
        isWritten.current ||= isText(target);
        setAsking(false);
      }}
    >
      <header>
        <h2>{title}</h2>
        <Button word="✕" class="quiet" aria-label={TEXTS.close} press={close} />
      </header>
      {children}
      {isAsking ? (
        <p class="problem" role="alert">
          {TEXTS.discardWritten} <Button word={TEXTS.discard} class="danger" press={close} />
        </p>
      ) : null}
    </dialog>
  );
}

/** A text that confirms a deletion does not count. */
function isText(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement)) return false;
  return !/checkbox|radio|search/.test(element.type) && element.form?.querySelector('.danger') === null;
}

interface ButtonProps {
  word: string;
  title?: string;
  class?: string;
  disabled?: boolean;
}

interface DialogButtonProps extends ButtonProps {
  isOpenAtFirst?: boolean;
  children: (close: () => void) => ComponentChildren;
}

export function DialogButton({
  word,
  title = word,
  isOpenAtFirst = false,
  children,
  ...button
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" {...button} onClick={() => setOpen(true)}>
        {word}
      </button>
      {isOpen ? (
        <Dialog title={title} close={close}>
          {children(close)}
        </Dialog>
      ) : null}
    </>
  );
}

interface ConfirmProps extends ButtonProps {
  confirm?: string;
  /** The word of the button that only closes the dialog. */
  dismiss?: string;
  act: () => Promise<unknown>;
  children: ComponentChildren;
}

export function ConfirmButton({ confirm, dismiss, act, children, ...button }: ConfirmProps) {
  return (
    <DialogButton {...button}>
      {(close) => (
        <Confirmation word={confirm ?? button.word} dismiss={dismiss} act={act} close={close}>
          {children}
        </Confirmation>
      )}
    </DialogButton>
  );
}

interface ConfirmationProps extends Pick<ConfirmProps, 'word' | 'act' | 'children'> {
  dismiss: string | undefined;
  close: () => void;
}

function Confirmation({ word, dismiss, act, children, close }: ConfirmationProps) {
  const action = useAction();
  const confirm = async () => {
    if (await action.run(act)) close();
  };
  return (
    <>
      {children}
      <Problem error={action.error} />
      <footer>
        <Button word={dismiss ?? TEXTS.cancel} press={close} />
        <Button word={word} class="danger" disabled={action.isRunning} press={confirm} />
      </footer>
    </>
  );
}
