import { saveValue } from './keep.ts';
import { sendSignal } from './server.ts';
import type { PageOfMessages } from './server.ts';
import type { Store } from './store.ts';
import { countNew } from '../components/timeline.ts';
import type { ChatMessage } from '../components/types.ts';

/** What was said, each message once and in order, and how much of it was read. */
export interface Inbox {
  /** How far the conversation was heard. */
  mark: () => string;
  pass: (mark: string) => void;
  /** Takes new messages, and edited ones in the place of what they were. */
  add: (messages: readonly ChatMessage[]) => void;
  remove: (id: string) => void;
  /** What there was when the page was opened. */
  begin: (page: PageOfMessages) => void;
  addEarlier: (page: PageOfMessages) => void;
  /** Whether the reader sees what comes. What comes while they do not is marked as new. */
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
    // Before anything was said there is nobody to tell.
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
      // A line that is shown stays where it is; without one, what is seen coming is not new.
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
      // On a first visit nothing is new.
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

/** All of both, each once, in order of their numbers. */
function mergeMessages(one: readonly ChatMessage[], other: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map([...one, ...other].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}

// Of earlier ones nothing is shown until somebody asks for them.
function isBefore({ sequence = Infinity }: ChatMessage, first: ChatMessage | undefined): boolean {
  return sequence < (first?.sequence ?? 0);
}

function parseMark(mark: string): number {
  return Number(mark.split('-')[0]);
}

function newestSequence(messages: readonly ChatMessage[], least: number): number {
  return Math.max(least, ...messages.map(({ sequence = 0 }) => sequence));
}

/** Tells the other side how far the reader has read, each number once. */
function createReadSignal(): (known: number) => void {
  let told = 0;
  return (known) => {
    if (known <= told) return;
    told = known;
    void sendSignal('read', { sequence: known });
  };
}
