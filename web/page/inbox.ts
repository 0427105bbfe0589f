import { countNew } from '../components/timeline.ts';
import type { ChatMessage, ChatState } from '../components/types.ts';
import { sendSignal } from './server.ts';
import type { PageOfMessages } from './server.ts';
import { loadValue, saveValue } from './stored-values.ts';

type Store = ReturnType<typeof createStore>;

export function createStore() {
  const subscribers = new Set<() => void>();
  let state: ChatState = {
    connection: 'connecting',
    messages: [],
    more: false,
    outgoing: [],
    typing: [],
    standing: {},
    markedAt: loadValue('read', -1),
    readByOthers: 0,
    loaded: false,
    started: false,
  };
  return {
    state: () => state,
    change: (part: Partial<ChatState>): void => {
      state = { ...state, ...part };
      for (const changed of subscribers) changed();
    },
    subscribe: (changed: () => void) => void subscribers.add(changed),
  };
}

/** Above this number, the oldest messages are dropped. */
const MAX_ARRIVED = 1_000;
const KEPT = 500;

/** Keeps the messages, and the position up to which the reader has read. */
export function createInbox({ state, change }: Store) {
  let [known, mark] = [0, '0'];
  let [watching, isAtEnd] = [false, true];
  let earlier = 0;
  const signalRead = createReadSignal();
  const remember = () => {
    if (watching && state().loaded) signalRead(known, state());
  };
  return {
    /** Returns the position up to which all events were received. */
    mark: () => mark,
    pass: (passed: string): void => {
      mark = passed;
      known = Math.max(known, parseMark(passed));
    },
    add(added: readonly ChatMessage[]): void {
      const { messages, markedAt, more } = state();
      const shown = added.filter((one) => !more || !isBefore(one, messages[0]));
      // Keep a visible separator of new messages in place. Without a separator, messages that
      // arrive in view are not new.
      const isSeen = watching && countNew(messages, markedAt) === 0;
      const newest = Math.max(markedAt, ...shown.map(({ sequence = 0 }) => sequence));
      const merged = mergeMessages(messages, shown);
      const isLong = isAtEnd && merged.length - earlier > MAX_ARRIVED;
      if (isLong) earlier = 0;
      change({
        messages: isLong ? merged.slice(-KEPT) : merged,
        more: more || isLong,
        markedAt: isSeen ? newest : markedAt,
      });
      remember();
    },
    remove: (id: string) => change({ messages: state().messages.filter((one) => one.id !== id) }),
    begin({ messages, more, last, mark: begun, read = 0, started = false }: PageOfMessages): void {
      mark = begun;
      known = last;
      // On a first visit no message is new.
      const markedAt = state().markedAt < 0 ? last : state().markedAt;
      const shown = mergeMessages(state().messages, messages);
      change({ more, markedAt, started, readByOthers: read, loaded: true, messages: shown });
      remember();
    },
    /**
     * Merges the newest messages into the list, because a proxy may hold the stream back. Returns
     * the unknown messages. Replaces the list if messages between are missing.
     */
    merge(page: PageOfMessages): ChatMessage[] {
      const { messages, readByOthers } = state();
      const { kept, news } = compareNewest(page, messages, known);
      change({ messages: kept ?? [] });
      if (!kept) this.begin(page);
      else this.add(page.messages);
      known = Math.max(known, page.last);
      change({ readByOthers: Math.max(page.read ?? 0, readByOthers) });
      return news;
    },
    addEarlier({ messages, more }: PageOfMessages): void {
      earlier += messages.length;
      change({ more, messages: mergeMessages(messages, state().messages) });
    },
    /** Messages that arrive while the reader is not watching are marked as new. */
    watch: (isWatching: boolean, isEndShown: boolean): void => {
      isAtEnd = isEndShown;
      if (watching && !isWatching) change({ markedAt: known });
      watching = isWatching;
      remember();
    },
  };
}

function createReadSignal() {
  let signalled = 0;
  return (known: number, { started }: ChatState): void => {
    saveValue('read', known);
    // A pending chat has no conversation yet, and a signal needs one.
    if (started || known <= signalled) return;
    signalled = known;
    void sendSignal('read', { sequence: known });
  };
}

/** `kept` is absent if messages between the known messages and the page are missing. */
function compareNewest(page: PageOfMessages, messages: readonly ChatMessage[], known: number) {
  const ids = new Set(messages.map(({ id }) => id));
  const news = page.messages.filter(({ id, sequence = 0 }) => !ids.has(id) && sequence > known);
  const first = page.more ? (page.messages[0]?.sequence ?? 0) : 0;
  const listed = new Set(page.messages.map(({ id }) => id));
  const isKept = ({ id, sequence = Infinity }: ChatMessage) =>
    listed.has(id) || sequence < first || sequence > page.last;
  return { news, kept: first > known + 1 ? undefined : messages.filter(isKept) };
}

/** Sorts by sequence. For equal ids, `other` wins. */
function mergeMessages(one: readonly ChatMessage[], other: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map([...one, ...other].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}

// Messages older than the loaded page appear only on request.
function isBefore({ sequence = Infinity }: ChatMessage, first: ChatMessage | undefined): boolean {
  return sequence < (first?.sequence ?? 0);
}

function parseMark(mark: string): number {
  return Number(mark.split('-')[0]);
}
