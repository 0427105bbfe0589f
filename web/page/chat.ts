import type { ChatMessage } from '../components/types.ts';
import { retryWhileBusy } from './busy.ts';
import { stayConnected } from './connection.ts';
import { createInbox } from './inbox.ts';
import type { Inbox } from './inbox.ts';
import { renameKey } from './keep.ts';
import { createOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import { readMessages, sendSignal } from './server.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { createTypingSignal } from '../components/typing-signal.ts';
import type { TypingSignal } from '../components/typing-signal.ts';

/** The conversation as this page knows it, kept up to date by itself. */
export interface Chat
  extends
    Pick<Store, 'state' | 'subscribe'>,
    Pick<Outbox, 'say' | 'discard'>,
    Pick<Inbox, 'watch'>,
    TypingSignal {
  /** Another tab has said the first thing, where nothing was said yet. */
  begunElsewhere: () => void;
  readEarlier: () => Promise<void>;
  /**
   * Reads what is not there yet, up to the first message, and waits where the server is busy.
   * Rejects where the server does not answer.
   */
  readAll: () => Promise<void>;
}

interface ChatCallbacks {
  /** Somebody else said something while the page listened. */
  heard: (message: ChatMessage) => void;
  /** The conversation has this slug as its key from now on. */
  begun: (slug: string) => void;
}

/** As many as the server answers at once. */
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

/** What is said here goes to the server, and what others say comes from it. */
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

/** Reading what was said before the first message that is there. */
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
