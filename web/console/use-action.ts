import { ParlanceError } from '@parlance/client';
import { useState, useEffect, useRef } from 'preact/hooks';
import { loadShared, saveShared } from './storage.ts';

export interface ActionState {
  isRunning: boolean;
  error: Error | undefined;
  /** Returns whether `work` succeeded. Ignores calls while an action is running. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  clear: () => void;
}

export function useAction(): ActionState {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error>();
  // A new sign-in resolves a 401.
  useSignedIn(() => {
    if (error instanceof ParlanceError && error.status === 401) setError(undefined);
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

export function useDismissed(name: string): [isDismissed: boolean, dismiss: () => void] {
  const key = `parlance:console:dismissed:${name}`;
  const [isDismissed, setDismissed] = useState(() => loadShared(key) !== '');
  return [
    isDismissed,
    () => {
      setDismissed(true);
      saveShared(key, 'yes');
    },
  ];
}

const EVENT = 'parlance:signed-in';

export function announceSignIn(): void {
  dispatchEvent(new Event(EVENT));
}

export function useSignedIn(call: () => void): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    const signedIn = () => latest.current();
    addEventListener(EVENT, signedIn);
    return () => removeEventListener(EVENT, signedIn);
  }, []);
}
