import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { renewUnseen } from '../../components/version.ts';
import { client } from '../session.ts';
import { usePolling } from '../use-query.ts';
import { keepConnected, streamTurn } from './streams.ts';

/** Poll interval while the change stream is disconnected. */
const LOOK_MS = 3_000;

interface Changes {
  /** Whether the stream is disconnected. */
  isDeaf: boolean;
  subscribe: (call: () => void) => () => void;
}

const ChangesContext = createContext<Changes>({ isDeaf: false, subscribe: () => () => undefined });

/** One stream of changed conversations for all lists and counts of the page. */
export function ChangesProvider({ isWanted, children }: { isWanted: boolean; children: ComponentChildren }) {
  const calls = useRef(new Set<() => void>());
  const [isDeaf, setDeaf] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    const ended = new AbortController();
    let wasLost = false;
    const look = () => calls.current.forEach((call) => call());
    const poll = () => {
      look();
      return Promise.resolve();
    };
    void keepConnected(ended.signal, {
      connect(connected) {
        const onOpen = () => {
          connected();
          setDeaf(false);
          if (wasLost) void renewUnseen();
          wasLost = false;
          // The stream does not send changes from before it opened.
          look();
        };
        const open = (options: object) => client.changes({ ...options, onOpen });
        return streamTurn(ended.signal, { open, take: look, poll });
      },
      lost() {
        wasLost = true;
        setDeaf(true);
        return true;
      },
    });
    return () => ended.abort();
  }, [isWanted]);
  const changes = useMemo(
    () => ({
      isDeaf,
      subscribe(call: () => void) {
        calls.current.add(call);
        return () => void calls.current.delete(call);
      },
    }),
    [isDeaf],
  );
  return <ChangesContext.Provider value={changes}>{children}</ChangesContext.Provider>;
}

/** Calls `call` when conversations may have changed. Returns whether the stream is disconnected. */
export function useChanges(call: () => void): boolean {
  const { isDeaf, subscribe } = useContext(ChangesContext);
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => subscribe(() => latest.current()), [subscribe]);
  useEffect(() => {
    if (isDeaf) latest.current();
  }, [isDeaf]);
  usePolling(isDeaf ? LOOK_MS : undefined, call);
  return isDeaf;
}

const GONE = 'parlance:gone';

/** Removes a deleted conversation from the lists, because their reads find only changes. */
export function announceGone(id: string): void {
  dispatchEvent(new CustomEvent(GONE, { detail: id }));
}

export function useGone(call: (id: string) => void): void {
  useEffect(() => {
    const gone = (event: Event) => call((event as CustomEvent<string>).detail);
    addEventListener(GONE, gone);
    return () => removeEventListener(GONE, gone);
  }, []);
}

/**
 * Returns a function that runs `work`. Calls during a run, or within `pauseMs` after it, cause one
 * more run. `work` must not reject.
 */
export function useOneAtATime(work: () => Promise<void>, pauseMs: number): () => void {
  const state = useRef({ isUnderWay: false, isWanted: false });
  return function run() {
    const { current } = state;
    current.isWanted = current.isUnderWay;
    if (current.isUnderWay) return;
    current.isUnderWay = true;
    const end = () => {
      current.isUnderWay = false;
      if (current.isWanted) run();
    };
    void work().finally(() => setTimeout(end, pauseMs));
  };
}
