import { useState, useEffect, useRef } from 'preact/hooks';
import { ApiError } from './parts/refusals.ts';

/** Something that is done on request, and what became of it. */
export interface ActionState {
  isRunning: boolean;
  error: Error | undefined;
  /** Does it, unless it is under way; resolves to whether it went well. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  clear: () => void;
}

export function useAction(): ActionState {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error>();
  // The one reason that has passed: it can be tried again.
  useSignedIn(() => {
    if (error instanceof ApiError && error.status === 401) setError(undefined);
  });
  return {
    isRunning,
    error,
    clear: () => setError(undefined),
    async run(work) {
      if (isRunning) return false;
      setRunning(true);
      setError(undefined);
      try {
        await work();
        return true;
      } catch (problem) {
        setError(problem as Error);
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
}

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

const EVENT = 'parlance:signed-in';

/** Makes everything on the page load again after a session that had ended. */
export function announceSignIn(): void {
  dispatchEvent(new Event(EVENT));
}

/** Calls back when the user has signed in again. */
export function useSignedIn(call: () => void): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    const signedIn = () => latest.current();
    addEventListener(EVENT, signedIn);
    return () => removeEventListener(EVENT, signedIn);
  }, []);
}
