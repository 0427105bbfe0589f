import { takeStreamSlot } from './stream-slots.ts';
import { createWatchdog } from './watchdog.ts';

const POLL_HIDDEN_MS = 15_000;
/** Poll interval of a visible tab without a stream slot. */
const POLL_SEEN_MS = 4_000;

/** `released`: the stream was closed on purpose or went to a visible tab, or the page polled. */
type TurnOutcome = 'lost' | 'released';

interface Turns {
  stream: (signal: AbortSignal) => Promise<void>;
  poll?: (() => Promise<void>) | undefined;
}

/** Runs `stream` while the page has a stream slot. Without a slot, runs `poll` and then waits. */
export async function liveTurn(signal: AbortSignal, { stream, poll }: Turns): Promise<TurnOutcome> {
  const end = follow(signal);
  const release = await takeStreamSlot(() => end.abort());
  if (!release) {
    end.abort();
    const isHidden = document.hidden;
    await poll?.();
    if (isHidden && !document.hidden) return 'released';
    return waitUntilNeeded(isHidden ? POLL_HIDDEN_MS : POLL_SEEN_MS, follow(signal));
  }
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

/** Waits `ms`, or until the page becomes visible, the network returns, or `end` aborts. */
export async function waitUntilNeeded(ms: number, end = new AbortController()): Promise<'released'> {
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

/** Aborts when the network returned, or the page returned from the back/forward cache. */
function abortOnInterruption(end: AbortController): void {
  const abort = () => end.abort();
  const listening = { signal: end.signal };
  addEventListener('online', abort, listening);
  addEventListener('pageshow', ({ persisted }) => persisted && abort(), listening);
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
