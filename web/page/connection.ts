import { liveTurn, waitUntilNeeded } from '../components/live.ts';
import { stillTyping } from '../components/timeline.ts';
import type { ChatMessage } from '../components/types.ts';
import { waitAfter } from './busy.ts';
import type { Inbox } from './inbox.ts';
import { renameKey } from './keep.ts';
import { listen, readMessages } from './server.ts';
import type { StreamListener } from './server.ts';
import type { Store } from './store.ts';

/** Bounds a stream that only catches up. */
const CATCH_UP_MS = 10_000;
const FOREVER_MS = 2 ** 31 - 1;

interface PageConnectionOptions {
  store: Store;
  inbox: Inbox;
  /** Called whenever page and server meet again. */
  opened: () => void;
  /** Called with each message that is said while the page listens. */
  heard: (message: ChatMessage) => void;
}

/**
 * Keeps the page connected for as long as it lives: by a stream while it is visible, by polling
 * while it is hidden. Returns a function that reconnects now.
 */
export function stayConnected(options: PageConnectionOptions): () => void {
  const { change } = options.store;
  let failures = 0;
  let again = new AbortController();
  const met = () => (failures = 0);

  async function stay(): Promise<void> {
    for (let goesOn = true; goesOn;) {
      again = new AbortController();
      const { signal } = again;
      let fault: unknown;
      try {
        const turn = await takeTurn({ ...options, met, signal });
        goesOn = turn !== 'gone';
        if (turn !== 'lost') continue;
      } catch (error) {
        // The server does not answer, or is busy.
        fault = error;
      }
      change({ connection: 'offline', typing: [] });
      await waitUntilNeeded(signal, waitAfter(fault, failures++));
    }
  }

  const reconnect = () => again.abort();
  window.addEventListener('online', reconnect);
  window.addEventListener('offline', () => change({ connection: 'offline' }));
  void stay();
  return reconnect;
}

interface TurnOptions extends PageConnectionOptions {
  met: () => void;
  /** Begins the next turn at once. */
  signal: AbortSignal;
}

/** Reads the newest messages, then streams or polls until the next turn. */
async function takeTurn(options: TurnOptions): Promise<'gone' | 'lost' | 'released'> {
  const { store, inbox, met, opened, signal } = options;
  const page = await readMessages();
  if (page === 'gone') {
    store.change({ connection: 'gone' });
    return 'gone';
  }
  if (page.begun !== undefined) renameKey(page.begun);
  if (!store.state().loaded) inbox.begin(page);
  const started = page.started ?? false;
  store.change({ started, ...(started ? { connection: 'online' as const } : {}) });
  // Nobody else can say anything in it before the reader does.
  if (started) return waitUntilNeeded(signal, FOREVER_MS);
  return liveTurn(signal, {
    stream: (end) => readStream(options, end),
    async poll() {
      met();
      store.change({ connection: 'online', typing: [] });
      opened();
      if (page.mark !== inbox.mark()) await catchUp(options);
    },
  });
}

/** Streams the events since the last turn, and closes the stream. */
async function catchUp(options: TurnOptions): Promise<void> {
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, CATCH_UP_MS);
  options.signal.addEventListener('abort', stop);
  await readStream(options, end.signal, stop);
  clearTimeout(timer);
  options.signal.removeEventListener('abort', stop);
}

/** Streams the events after the inbox's mark. */
function readStream(
  { store, inbox, opened, heard, met }: TurnOptions,
  signal: AbortSignal,
  caughtUp: () => void = () => undefined,
): Promise<void> {
  const listener: StreamListener = {
    opened() {
      met();
      store.change({ connection: 'online' });
      opened();
    },
    message(message) {
      heard(message);
      inbox.add([message]);
      store.change({ typing: stillTyping(store.state().typing, message) });
    },
    removed: inbox.remove,
    passed: inbox.pass,
    typing: (typing) => store.change({ typing }),
    caughtUp(read = 0) {
      store.change({ readByOthers: Math.max(read, store.state().readByOthers) });
      caughtUp();
    },
  };
  return listen(inbox.mark(), listener, signal);
}
