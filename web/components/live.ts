import { createWatchdog } from './watchdog.ts';

/** A hidden tab keeps its stream this long, because users switch back and forth. */
const KEPT_MS = 5_000;
const POLL_HIDDEN_MS = 15_000;
/** Poll interval of a visible tab without a stream slot. */
const POLL_SEEN_MS = 4_000;

/** `released`: the stream was closed on purpose, or the page polled. */
export type TurnOutcome = 'lost' | 'released';

export interface Turns {
  stream: (signal: AbortSignal) => Promise<void>;
  poll?: (() => Promise<void>) | undefined;
}

/**
 * Runs `stream` while the page is visible. A hidden page, or a page without a stream slot, runs
 * `poll` and then waits. Rejects with the error of either.
 */
export async function liveTurn(signal: AbortSignal, { stream, poll }: Turns): Promise<TurnOutcome> {
  const isHidden = document.hidden;
  const release = isHidden ? undefined : await takeStreamSlot();
  if (!release) {
    await poll?.();
    // The page became visible during the poll.
    if (isHidden && !document.hidden) return 'released';
    return waitUntilNeeded(signal, isHidden ? POLL_HIDDEN_MS : POLL_SEEN_MS);
  }
  const end = new AbortController();
  const unwatch = watchInterruptions(signal, () => end.abort());
  try {
    await stream(end.signal);
    return end.signal.aborted ? 'released' : 'lost';
  } finally {
    unwatch();
    release();
  }
}

/**
 * Waits for `ms`. Returns early when the page becomes visible, the network returns, or the signal
 * aborts.
 */
export async function waitUntilNeeded(signal: AbortSignal, ms: number): Promise<'released'> {
  await new Promise<void>((resolve) => {
    const shown = () => {
      if (!document.hidden) over();
    };
    const timer = setTimeout(over, ms);
    function over(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      removeEventListener('online', over);
      document.removeEventListener('visibilitychange', shown);
      resolve();
    }
    if (signal.aborted) {
      over();
      return;
    }
    signal.addEventListener('abort', over);
    addEventListener('online', over);
    document.addEventListener('visibilitychange', shown);
  });
  return 'released';
}

/**
 * Calls `end` when the page was hidden for 5 seconds, the network changed, the page returned from
 * the back/forward cache, or the signal aborts. Returns a function that stops watching.
 */
function watchInterruptions(signal: AbortSignal, end: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const seenChanged = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, KEPT_MS);
  };
  const comesBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) end();
  };
  seenChanged();
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  addEventListener('online', end);
  addEventListener('pageshow', comesBack);
  document.addEventListener('visibilitychange', seenChanged);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    removeEventListener('online', end);
    removeEventListener('pageshow', comesBack);
    document.removeEventListener('visibilitychange', seenChanged);
  };
}

export type EventHandlers = Record<string, (event: MessageEvent<string>) => void> & { open?: () => void };

/**
 * Reads an EventSource until it ends, is silent for too long, or the signal aborts. The browser's
 * own reconnect does not follow every failure.
 */
export async function readEvents(url: string, handlers: EventHandlers, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const source = new EventSource(url);
  await new Promise<void>((resolve) => {
    const watchdog = createWatchdog(over);
    function over(): void {
      watchdog.stop();
      source.close();
      signal.removeEventListener('abort', over);
      resolve();
    }
    for (const name of ['heartbeat', ...Object.keys(handlers)]) {
      source.addEventListener(name, (event) => {
        watchdog.seen();
        handlers[name]?.(event as MessageEvent<string>);
      });
    }
    source.onerror = over;
    signal.addEventListener('abort', over);
  });
}

/**
 * Browsers open six HTTP/1.1 connections per origin, for all tabs and frames. Four streams leave
 * two for requests.
 */
const SLOTS = 4;

/**
 * Takes a stream slot of this origin. Returns a function that releases it, or undefined if all
 * slots are taken.
 */
async function takeStreamSlot(): Promise<(() => void) | undefined> {
  // Locks exist only on pages served over TLS or from localhost.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return () => undefined;
  for (let at = 0; at < SLOTS; at += 1) {
    const release = await tryLock(locks, `parlance:stream ${at}`);
    if (release) return release;
  }
  return undefined;
}

function tryLock(locks: LockManager, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) =>
      lock ? new Promise<void>((done) => resolve(done)) : resolve(undefined);
    // A framed page may be denied locks. Then it shares no connections either.
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(() => undefined));
  });
}
