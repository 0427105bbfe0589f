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
  const [text, setText] = useState(() => read(name));
  const [key, setKey] = useState(randomKey);
  useEffect(() => setText(read(name)), [name]);
  return {
    text,
    key,
    write(next) {
      setText(next);
      keep(name, next);
    },
    clear() {
      setText('');
      keep(name, '');
      setKey(randomKey());
    },
  };
}

function read(name: string): string {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Private windows and full storages refuse; the draft lives as long as the page.
  }
}
