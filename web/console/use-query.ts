import type { AnswerTo, Call, Options } from '@parlance/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from './session.ts';
import { useSignedIn } from './use-action.ts';

export interface QueryState<T> {
  /** The last value stays while the same call is repeated. */
  value: T | undefined;
  error: Error | undefined;
  again: () => void;
  /** Sets the value until the next response. */
  replace: (value: T) => void;
}

/** `everyMs`: polls while the page is visible. */
type QueryOptions<C extends Call> = Omit<Options<C>, 'signal'> & { everyMs?: number };
type QueryArguments<C extends Call> =
  Partial<Options<C>> extends Options<C> ? [options?: QueryOptions<C>] : [options: QueryOptions<C>];

/** Repeats the call when its options change. Makes no call if `call` is null. */
export function useQuery<C extends Call>(
  call: C | null,
  ...[options]: QueryArguments<C>
): QueryState<AnswerTo<C, []>> {
  type Answer = AnswerTo<C, []>;
  const { everyMs, ...given }: { everyMs?: number } = options ?? {};
  const key = call && `${call} ${JSON.stringify(given)}`;
  const [state, setState] = useState<{ key: string | null; value?: Answer; error?: Error }>({ key });
  const [turn, setTurn] = useState(0);
  const current = useRef(key);
  current.current = key;
  useEffect(() => {
    if (call === null) return undefined;
    const ended = new AbortController();
    client.call<Call, [Options<Call>]>(call, { ...given, signal: ended.signal }).then(
      (value) => setState({ key, value: value as Answer }),
      (error: unknown) => {
        if (!ended.signal.aborted) setState((before) => ({ ...before, key, error: error as Error }));
      },
    );
    return () => ended.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((count) => count + 1), []);
  const replace = useCallback((value: Answer) => setState({ key: current.current, value }), []);
  useEvery(everyMs, again);
  useSignedIn(again);
  const { value, error } = state.key === key ? state : {};
  return { value, error, again, replace };
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
