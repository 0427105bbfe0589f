import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api } from './request.ts';
import type { ApiResult } from './request.ts';
import { useSignedIn } from './use-action.ts';

export interface QueryState<T> {
  /** Stays while the same path is requested again. */
  value: T | undefined;
  headers: Headers | undefined;
  error: Error | undefined;
  again: () => void;
  /** Sets the value until the next response. */
  replace: (value: T) => void;
}

/**
 * Requests GET `path`, or nothing for null. Polls while the page is visible if `everyMs` is set.
 */
export function useQuery<T>(path: string | null, { everyMs }: { everyMs?: number } = {}): QueryState<T> {
  const [state, setState] = useState<{ path: string | null; answer?: ApiResult<T>; error?: Error }>({ path });
  const [turn, setTurn] = useState(0);
  const current = useRef(path);
  current.current = path;
  useEffect(() => {
    if (path === null) return undefined;
    const ended = new AbortController();
    api<T>('GET', path, { signal: ended.signal }).then(
      (answer) => setState({ path, answer }),
      (error: unknown) => {
        if (!ended.signal.aborted) setState((before) => ({ ...before, path, error: error as Error }));
      },
    );
    return () => ended.abort();
  }, [path, turn]);
  const again = useCallback(() => setTurn((count) => count + 1), []);
  useEvery(everyMs, again);
  useSignedIn(again);
  const isCurrent = state.path === path;
  const replace = useCallback(
    (body: T) => setState({ path: current.current, answer: { body, headers: new Headers() } }),
    [],
  );
  return {
    value: isCurrent ? state.answer?.body : undefined,
    headers: isCurrent ? state.answer?.headers : undefined,
    error: isCurrent ? state.error : undefined,
    again,
    replace,
  };
}

/** Also calls back when the page becomes visible. Never calls while it is hidden. */
export function useEvery(ms: number | undefined, call: () => void): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    if (ms === undefined) return undefined;
    const look = () => {
      if (!document.hidden) latest.current();
    };
    const timer = setInterval(look, ms);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [ms]);
}
