import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './parts/dialog.tsx';
import { goTo } from './route.ts';
import { TEXTS } from './texts.ts';

interface Props {
  screens: readonly { name: string; title: string }[];
}

/** Keys that work wherever nobody writes: a number goes to a screen, `?` lists them all. */
export function Shortcuts({ screens }: Props) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') setOpen(true);
      const screen = screens[Number(event.key) - 1];
      if (screen) goTo(screen.name);
      if (event.key === '/' && focusOn('input[type=search]')) event.preventDefault();
      if (event.key === 'r' && focusOn('.reply textarea')) event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [screens]);
  if (!isOpen) return null;
  const keys = [
    ...screens.map(({ title }, at) => [String(at + 1), title] as const),
    ['/', TEXTS.search],
    ['r', TEXTS.reply],
    ['Ctrl+Enter', TEXTS.send],
    ['Esc', TEXTS.close],
    ['?', TEXTS.shortcuts],
  ];
  return (
    <Dialog title={TEXTS.shortcuts} close={() => setOpen(false)}>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}

function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== null;
}
