import { keep } from './keep.ts';
import type { PageOfMessages } from './server.ts';
import type { Store } from './store.ts';
import { countNew } from './timeline.ts';
import type { Message } from './types.ts';

/** What was said, each message once and in order, and how much of it was read. */
export interface Inbox {
  /** The last number heard of. */
  known: () => number;
  pass: (number: number) => void;
  add: (messages: readonly Message[]) => void;
  /** What there was when the page was opened. */
  begin: (page: PageOfMessages) => void;
  addEarlier: (page: PageOfMessages) => void;
  /** Whether the reader sees what comes. What comes while he does not is marked as new. */
  watch: (isWatching: boolean) => void;
}

export function createInbox({ state, change }: Store): Inbox {
  let known = 0;
  let watching = false;
  const remember = () => {
    if (watching && state().loaded) keep('read', known);
  };
  return {
    known: () => known,
    pass(number) {
      known = Math.max(known, number);
    },
    add(added) {
      const { messages, markedAt } = state();
      // A line that is shown stays where it is; without one, what is seen coming is not new.
      const isSeen = watching && countNew(messages, markedAt) === 0;
      change({ messages: merged(messages, added), ...(isSeen ? { markedAt: newest(added, markedAt) } : {}) });
      remember();
    },
    begin({ title, messages, more, last }) {
      known = last;
      // On a first visit nothing is new.
      const markedAt = state().markedAt < 0 ? last : state().markedAt;
      change({ title, more, markedAt, loaded: true, messages: merged(state().messages, messages) });
      remember();
    },
    addEarlier: ({ messages, more }) => change({ more, messages: merged(messages, state().messages) }),
    watch(isWatching) {
      if (watching && !isWatching) change({ markedAt: known });
      watching = isWatching;
      remember();
    },
  };
}

/** All of both, each once, in order of their numbers. */
export function merged(one: readonly Message[], other: readonly Message[]): Message[] {
  const byId = new Map([...one, ...other].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}

function newest(messages: readonly Message[], least: number): number {
  return Math.max(least, ...messages.map(({ sequence = 0 }) => sequence));
}
