import { useEffect, useState } from 'preact/hooks';
import { randomKey } from '../request.ts';

/** What is being written, and is not sent yet. */
export interface Draft {
  text: string;
  /** One for everything that is written before it is sent. */
  key: string;
  write: (text: string) => void;
  clear: () => void;
}

/** What was being written under a name; it outlives a reload where the browser lets us. */
export function useDraft(name: string): Draft {
  const [text, setText] = useState(() => loadDraft(name));
  const [key, setKey] = useState(randomKey);
  useEffect(() => setText(loadDraft(name)), [name]);
  return {
    text,
    key,
    write(next) {
      setText(next);
      saveDraft(name, next);
    },
    clear() {
      setText('');
      saveDraft(name, '');
      setKey(randomKey());
    },
  };
}

/** Reads the draft of this tab; a new tab reads the draft that any tab wrote last. */
function loadDraft(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

function saveDraft(name: string, text: string): void {
  try {
    const before = sessionStorage.getItem(name);
    sessionStorage.setItem(name, text);
    if (text !== '') localStorage.setItem(name, text);
    // A newer draft of another tab stays.
    else if (before === null || localStorage.getItem(name) === before) localStorage.removeItem(name);
  } catch {
    // Private windows and full storages refuse; the draft lives as long as the page.
  }
}
