import { useState } from 'preact/hooks';
import { ApiError } from './refused.ts';
import { useSignedIn } from './signed-in.ts';

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
