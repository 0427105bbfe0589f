import { saveValue } from './stored-values.ts';
import { sendSignal } from './server.ts';
import type { PageOfMessages } from './server.ts';
import type { Store } from './store.ts';
import { countNew } from '../components/timeline.ts';
import type { ChatMessage } from '../components/types.ts';

/** Messages, and how far the reader has read. */
export interface Inbox {
  /** All events up to this position were received. */
  mark: () => string;
  pass: (mark: string) => void;
  /** Adds new messages and replaces edited messages. */
  add: (messages: readonly ChatMessage[]) => void;
  remove: (id: string) => void;
  /** Sets the messages of the first page. */
  begin: (page: PageOfMessages) => void;
  addEarlier: (page: PageOfMessages) => void;
  /** Messages that arrive while the reader is not watching are marked as new. */
  watch: (isWatching: boolean) => void;
}

export function createInbox({ state, change }: Store): Inbox {
  let known = 0;
  let mark = '0';
  let watching = false;
  const tellRead = createReadSignal();
  const remember = () => {
    if (!watching || !state().loaded) return;
    saveValue('read', known);
    // Signals would have no recipient before the first message.
    if (!state().started) tellRead(known);
  };
  return {
    mark: () => mark,
    pass(passed) {
      mark = passed;
      known = Math.max(known, parseMark(passed));
    },
    add(added) {
      const { messages, markedAt, more } = state();
      const shown = added.filter((one) => !more || !isBefore(one, messages[0]));
      // Keep a visible separator in place. Without one, messages that the reader sees are not new.
      const isSeen = watching && countNew(messages, markedAt) === 0;
      change({
        messages: mergeMessages(messages, shown),
        ...(isSeen ? { markedAt: newestSequence(shown, markedAt) } : {}),
      });
      remember();
    },
    remove: (id) => change({ messages: state().messages.filter((one) => one.id !== id) }),
    begin({ messages, more, last, mark: begun, read = 0, started = false }) {
      mark = begun;
      known = last;
      // Nothing is new on a first visit.
      const markedAt = state().markedAt < 0 ? last : state().markedAt;
      const shown = mergeMessages(state().messages, messages);
      change({ more, markedAt, started, readByOthers: read, loaded: true, messages: shown });
      remember();
    },
    addEarlier: ({ messages, more }) => change({ more, messages: mergeMessages(messages, state().messages) }),
    watch(isWatching) {
      if (watching && !isWatching) change({ markedAt: known });
      watching = isWatching;
      remember();
    },
  };
}

/** Merges messages by id, sorted by sequence. `other` wins. */
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

function newestSequence(messages: readonly ChatMessage[], least: number): number {
  return Math.max(least, ...messages.map(({ sequence = 0 }) => sequence));
}

/** Sends each read position once. */
function createReadSignal(): (known: number) => void {
  let told = 0;
  return (known) => {
    if (known <= told) return;
    told = known;
    void sendSignal('read', { sequence: known });
  };
}
