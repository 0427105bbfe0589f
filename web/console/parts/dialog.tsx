import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useAction } from '../use-action.ts';
import { TEXTS } from '../texts.ts';
import { Problem } from './notices.tsx';

interface DialogProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

/** Escape closes the dialog, and closing restores the focus. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label={TEXTS.close} onClick={close}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  word: string;
  act: () => Promise<unknown>;
  close: () => void;
}

export function Confirm({ title, children, word, act, close }: ConfirmProps) {
  const action = useAction();
  const confirm = async () => {
    if (await action.run(act)) close();
  };
  return (
    <Dialog title={title} close={close}>
      {children}
      <Problem error={action.error} />
      <footer>
        <button type="button" onClick={close}>
          {TEXTS.cancel}
        </button>
        <button type="button" class="danger" disabled={action.isRunning} onClick={() => void confirm()}>
          {word}
        </button>
      </footer>
    </Dialog>
  );
}
