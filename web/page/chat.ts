import type { ChatMessage } from '../components/types.ts';
import { retryWhileBusy, waitAfter } from './busy.ts';
import { createInbox } from './inbox.ts';
import type { Inbox } from './inbox.ts';
import { renameKey } from './stored-values.ts';
import { createOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import { readMessages, sendSignal, listen } from './server.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { createTypingSignal } from '../components/typing-signal.ts';
import type { TypingSignal } from '../components/typing-signal.ts';
import { liveTurn, waitUntilNeeded } from '../components/live.ts';
import { stillTyping } from '../components/timeline.ts';
import type { StreamListener } from './server.ts';

export interface Chat
  extends
    Pick<Store, 'state' | 'subscribe'>,
    Pick<Outbox, 'say' | 'discard'>,
    Pick<Inbox, 'watch'>,
    TypingSignal {
  /** Call when another tab posted the first message of the conversation. */
  begunElsewhere: () => void;
  readEarlier: () => Promise<void>;
  /** Loads all earlier messages. Rejects if the server is unreachable. */
  readAll: () => Promise<void>;
}

interface ChatCallbacks {
  /** Called with each new message of the other side. */
  heard: (message: ChatMessage) => void;
  /** Called when the conversation's key changes to this slug. */
  begun: (slug: string) => void;
}

/** Largest page that the server returns. */
const LARGE_PAGE = 500;

export function createChat({ heard, begun }: ChatCallbacks): Chat {
  const store = createStore();
  const inbox = createInbox(store);
  const { outbox, reconnect } = connectChat(store, inbox, { heard, begun });
  return {
    state: store.state,
    subscribe: store.subscribe,
    say: outbox.say,
    discard: outbox.discard,
    watch: inbox.watch,
    begunElsewhere: reconnect,
    ...createTypingSignal({
      isWanted: () => !store.state().started,
      tell: (typing) => void sendSignal('typing', { typing }),
    }),
    ...createHistoryReader(store, inbox),
  };
}

function connectChat(store: Store, inbox: Inbox, { heard, begun }: ChatCallbacks) {
  let reconnect: () => void = () => undefined;
  const reconnectStarted = () => {
    if (store.state().started) reconnect();
  };
  const outbox = createOutbox({
    changed: (outgoing) => store.change({ outgoing }),
    accepted(message, slug) {
      if (message) inbox.add([message]);
      if (slug === undefined) return;
      renameKey(slug);
      begun(slug);
      reconnectStarted();
    },
    changedElsewhere: reconnectStarted,
  });
  reconnect = stayConnected({
    store,
    inbox,
    opened: outbox.retry,
    heard(message) {
      const isKnown = store.state().messages.some(({ id }) => id === message.id);
      if (!isKnown && message.role !== 'contact') heard(message);
    },
  });
  return { outbox, reconnect: reconnectStarted };
}

function createHistoryReader(store: Store, inbox: Inbox): Pick<Chat, 'readEarlier' | 'readAll'> {
  const readBefore = async (limit?: number) => {
    const before = store.state().messages[0]?.sequence;
    const page = await retryWhileBusy(() =>
      readMessages({ before, ...(limit === undefined ? {} : { limit }) }),
    );
    if (page === 'gone') store.change({ connection: 'gone', more: false });
    else inbox.addEarlier(page);
  };
  return {
    readEarlier: () => readBefore().catch(() => undefined),
    async readAll() {
      while (store.state().more) await readBefore(LARGE_PAGE);
    },
  };
}

/** Limits a stream that only catches up. */
const CATCH_UP_MS = 10_000;
const FOREVER_MS = 2 ** 31 - 1;

interface PageConnectionOptions {
  store: Store;
  inbox: Inbox;
  /** Called whenever the connection is established. */
  opened: () => void;
  /** Called with each message that arrives while the page is connected. */
  heard: (message: ChatMessage) => void;
}

/**
 * Streams while the page is visible, and polls while it is hidden. Returns a function that
 * reconnects now.
 */
function stayConnected(options: PageConnectionOptions): () => void {
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
        // The server is busy or unreachable.
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
  /** Aborting starts the next turn at once. */
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
  // Only the reader can post the first message.
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

/** Streams the events since the last turn, then closes the stream. */
async function catchUp(options: TurnOptions): Promise<void> {
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, CATCH_UP_MS);
  options.signal.addEventListener('abort', stop);
  await readStream(options, end.signal, stop);
  clearTimeout(timer);
  options.signal.removeEventListener('abort', stop);
}

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
