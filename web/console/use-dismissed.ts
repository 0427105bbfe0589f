import { useState } from 'preact/hooks';

/** Returns whether something was put away in this browser for good, and what puts it away. */
export function useDismissed(name: string): [isDismissed: boolean, dismiss: () => void] {
  const key = `parlance:console:dismissed:${name}`;
  const [isDismissed, setDismissed] = useState(() => loadDismissed(key));
  return [
    isDismissed,
    () => {
      setDismissed(true);
      try {
        localStorage.setItem(key, 'yes');
      } catch {
        // Private windows and full storages refuse: it comes again with the page.
      }
    },
  ];
}

function loadDismissed(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
