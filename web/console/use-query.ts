import type { AnswerTo, Call, Options } from '@parlance/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client, isReachable } from './session.ts';
import { useSignedIn } from './use-action.ts';

export interface QueryState<T> {
  /** The last value stays while the same call is repeated. */
  value: T | undefined;
  error: Error | undefined;
  again: () => void;
  /** Sets the value until the next call. A call that is running is ignored. */
  replace: (value: T) => void;
}

/** The types of a call are checked where `useQuery` is called. */
const callAny = client.call as (call: Call, options: object) => Promise<unknown>;

/** `everyMs`: polls while the page is visible. */
type QueryOptions<C extends Call> = Omit<Options<C>, 'signal'> & { everyMs?: number };
type QueryArguments<C extends Call> =
  Partial<Options<C>> extends Options<C> ? [options?: QueryOptions<C>] : [options: QueryOptions<C>];

/** Repeats the call when its options change. Makes no call if `call` is null. */
export function useQuery<C extends Call>(
  call: C | null,
  ...[options]: QueryArguments<C>
): QueryState<AnswerTo<C>> {
  const { everyMs, ...given }: { everyMs?: number } = options ?? {};
  const key = call && `${call} ${JSON.stringify(given)}`;
  const load = (signal: AbortSignal) => callAny(call as Call, { ...given, signal }) as Promise<AnswerTo<C>>;
  return useLoad(key, load, everyMs);
}

/** Runs `load` again when `key` changes, and not while it is null. */
export function useLoad<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): QueryState<T> {
  const [state, setState] = useState<{ key: string | null; value?: T; error?: Error }>({ key });
  const [turn, setTurn] = useState(0);
  const current = useRef(key);
  current.current = key;
  const loading = useRef<AbortController>(undefined);
  useEffect(() => {
    if (key === null) return undefined;
    const ended = (loading.current = new AbortController());
    load(ended.signal).then(
      (value) => {
        if (!ended.signal.aborted) setState({ key, value });
      },
      (error: unknown) => {
        if (!ended.signal.aborted) setState((before) => ({ ...before, key, error: error as Error }));
      },
    );
    return () => ended.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((count) => count + 1), []);
  const replace = useCallback((value: T) => {
    loading.current?.abort();
    setState({ key: current.current, value });
  }, []);
  usePolling(everyMs, again);
  useSignedIn(again);
  const { value, error } = state.key === key ? state : {};
  return { value, error, again, replace };
}

/** Runs `call` like `useEvery`, while the server is reachable. */
export function usePolling(ms: number | undefined, call: () => void): void {
  useEvery(ms, () => {
    if (isReachable()) call();
  });
}

/** Runs `call` every `ms` while the page is visible, and when the page becomes visible. */
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
