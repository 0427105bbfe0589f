import { Dialog } from './parts/dialog.tsx';
import { INBOX_WORDS } from './inbox/texts.ts';
import { TEXTS } from './texts.ts';

interface Props {
  /** Titles of the screens that have a digit as their key. */
  screens: readonly string[];
  close: () => void;
}

export function ShortcutList({ screens, close }: Props) {
  const keys = [
    ...screens.map((title, at) => [String(at + 1), title] as const),
    ['/', TEXTS.search],
    ['↑ ↓', INBOX_WORDS.nextRow],
    ['x', INBOX_WORDS.selectRow],
    ['Shift+x', INBOX_WORDS.selectRange],
    ['r', TEXTS.reply],
    ['Ctrl+Enter', TEXTS.send],
    ['Esc', TEXTS.close],
    ['?', TEXTS.shortcuts],
  ];
  return (
    <Dialog title={TEXTS.shortcuts} close={close}>
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
