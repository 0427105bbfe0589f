import { useEffect, useState } from 'preact/hooks';
import { TEXTS } from '../components/texts.ts';
import type { Chat } from './chat.ts';

/**
 * Printing of the whole conversation, by the button or the keys that browsers have for it (spec
 * 10.9).
 */
export function usePrinting(chat: Chat): { print: () => void; isReading: boolean } {
  const [isReading, setReading] = useState(false);
  const print = () => {
    setReading(true);
    // What could not be read is missing; that there is more is said on the paper.
    void chat
      .readAll()
      .catch(() => undefined)
      .then(() => {
        setReading(false);
        // When what was read is there to be seen.
        requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
      });
  };
  useEffect(() => {
    const byKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      print();
    };
    document.addEventListener('keydown', byKey);
    return () => document.removeEventListener('keydown', byKey);
  }, []);
  return { print, isReading };
}

export function PrintNotice({ isReading }: { isReading: boolean }) {
  return isReading ? (
    <p class="reading" role="status">
      {TEXTS.readingAll}
    </p>
  ) : null;
}
