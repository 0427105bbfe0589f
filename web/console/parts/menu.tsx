import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  word: string;
  press: () => unknown;
  disabled?: boolean;
}

interface MenuProps {
  label: string;
  class?: string;
  items: readonly MenuItem[];
  /** Content of the button that opens the menu. */
  children: ComponentChildren;
}

/** Arrow keys move in the menu. Escape and a press outside close it. */
export function Menu({ label, items, children, class: name = '' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const getItems = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => {
    setOpen(false);
    menu.current?.querySelector('button')?.focus();
  };
  // A passive effect would move the focus back after an arrow key that is pressed at once.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    getItems()[0]?.focus();
    const pressed = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', pressed);
    return () => document.removeEventListener('pointerdown', pressed);
  }, [isOpen]);
  const typed = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else moveFocus(event, getItems());
  };
  return (
    <div class={`menu ${name}`} ref={menu} onKeyDown={typed}>
      <button
        type="button"
        class="quiet"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen ? (
        <div role="menu" aria-label={label}>
          {items.map(({ word, press, disabled = false }) => (
            <button
              key={word}
              type="button"
              role="menuitem"
              tabIndex={-1}
              disabled={disabled}
              onClick={() => {
                close();
                void press();
              }}
            >
              {word}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function moveFocus(event: KeyboardEvent, items: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const at = items.findIndex((one) => one === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
}
