import { createWatchdog } from './watchdog.ts';

/** A hidden tab keeps its stream this long, because users switch back and forth. */
const KEPT_MS = 5_000;
const POLL_HIDDEN_MS = 15_000;
/** Poll interval of a visible tab without a stream slot. */
const POLL_SEEN_MS = 4_000;

/** `released`: the stream was closed on purpose, or the page polled. */
type TurnOutcome = 'lost' | 'released';

interface Turns {
  stream: (signal: AbortSignal) => Promise<void>;
  poll?: (() => Promise<void>) | undefined;
}

/**
 * Runs `stream` while the page is visible. A hidden page, or a page without a stream slot, runs
 * `poll` and then waits.
 */
export async function liveTurn(signal: AbortSignal, { stream, poll }: Turns): Promise<TurnOutcome> {
  const isHidden = document.hidden;
  const release = isHidden ? undefined : await takeStreamSlot();
  if (!release) {
    await poll?.();
    if (isHidden && !document.hidden) return 'released';
    return waitUntilNeeded(signal, isHidden ? POLL_HIDDEN_MS : POLL_SEEN_MS);
  }
  const end = follow(signal);
  abortOnInterruption(end);
  try {
    await stream(end.signal);
    return end.signal.aborted ? 'released' : 'lost';
  } finally {
    end.abort();
    release();
  }
}

/**
 * Creates a controller that aborts with the signal. Aborting the controller removes the listener.
 */
export function follow(signal: AbortSignal): AbortController {
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { signal: own.signal });
  return own;
}

/** Waits `ms`, or until the page becomes visible, the network returns, or the signal aborts. */
export async function waitUntilNeeded(signal: AbortSignal, ms: number): Promise<'released'> {
  const end = follow(signal);
  const abort = () => end.abort();
  const timer = setTimeout(abort, ms);
  const listening = { signal: end.signal };
  addEventListener('online', abort, listening);
  document.addEventListener('visibilitychange', () => document.hidden || abort(), listening);
  await aborted(end.signal);
  clearTimeout(timer);
  return 'released';
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/**
 * Aborts when the page was hidden for 5 seconds, the network returned, or the page returned from
 * the back/forward cache.
 */
function abortOnInterruption(end: AbortController): void {
  const abort = () => end.abort();
  const listening = { signal: end.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const visibilityChanged = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(abort, KEPT_MS);
  };
  visibilityChanged();
  addEventListener('online', abort, listening);
  addEventListener('pageshow', ({ persisted }) => persisted && abort(), listening);
  document.addEventListener('visibilitychange', visibilityChanged, listening);
}

export type EventHandlers = Record<string, (event: MessageEvent<string>) => void> & { open?: () => void };

/**
 * Reads a stream until its end or an abort. A browser does not always reconnect by itself, so the
 * caller must.
 */
export async function readEvents(url: string, handlers: EventHandlers, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const end = follow(signal);
  const abort = () => end.abort();
  const source = new EventSource(url);
  const watchdog = createWatchdog(abort);
  for (const name of ['heartbeat', ...Object.keys(handlers)]) {
    source.addEventListener(name, (event) => {
      watchdog.seen();
      handlers[name]?.(event as MessageEvent<string>);
    });
  }
  source.onerror = abort;
  await aborted(end.signal);
  watchdog.stop();
  source.close();
}

/** Browsers open six HTTP/1.1 connections per origin, for all tabs. Two remain for requests. */
const SLOTS = 4;

/** Returns a function that releases the slot, or undefined if all slots are taken. */
async function takeStreamSlot(): Promise<(() => void) | undefined> {
  // Browsers offer locks only with TLS or localhost.
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
    // The browser may deny locks to a framed page, which shares no connections with other tabs.
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(() => undefined));
  });
}
