import { createWatchdog } from './watchdog.ts';

/** A hidden tab keeps its stream for this long: people switch back and forth. */
const KEPT_MS = 5_000;
const POLL_HIDDEN_MS = 15_000;
/** For a tab that is seen, beside others that have all the streams. */
const POLL_SEEN_MS = 4_000;

/**
 * `lost`: the connection ended or is dead. `released`: the stream was closed on purpose, or the
 * page polled. The caller then reads the newer messages.
 */
export type TurnOutcome = 'lost' | 'released';

export interface Turns {
  /** Listens until the connection is over or the signal ends it. */
  stream: (signal: AbortSignal) => Promise<void>;
  /** Reads what came since the last turn, in a turn without a stream. */
  poll?: () => Promise<void>;
}

/**
 * One turn of staying up to date. A page that is seen runs `stream` as long as it is seen. A hidden
 * page, and one without a place for a stream, runs `poll` and waits a while, or until it is shown.
 * Rejects with the error of either.
 */
export async function liveTurn(signal: AbortSignal, { stream, poll }: Turns): Promise<TurnOutcome> {
  const isHidden = document.hidden;
  const release = isHidden ? undefined : await takeStreamSlot();
  if (!release) {
    await poll?.();
    // It was shown meanwhile.
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

/** Waits; ends early when the page is shown, when the browser is online again, or by the signal. */
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
 * Calls `end` when the page was hidden for some seconds, when the browser has another network, when
 * the page comes back from the browser's cache, or by the signal. Returns how to stop.
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

/** Handlers of the events of a stream, by name; `open` when it is opened. */
export type EventHandlers = Record<string, (event: MessageEvent<string>) => void> & { open?: () => void };

/**
 * Reads an EventSource until it ends, is dead, or the signal ends it. The browser reconnects by
 * itself, but not after every kind of failure, and the page could not show for how long.
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
 * Browsers open six connections to an origin over HTTP/1.1, for all of its tabs and frames. Streams
 * hold one each for good, so all of them together leave two for requests.
 */
const SLOTS = 4;

/**
 * Takes one of the places for a stream that all tabs of this origin share. Returns how to give it
 * back; undefined where all are taken.
 */
async function takeStreamSlot(): Promise<(() => void) | undefined> {
  // Only where the page came by TLS or from this machine.
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
    // A framed page may be refused locks: then nothing is shared either.
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(() => undefined));
  });
}
