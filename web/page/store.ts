import { loadValue } from './keep.ts';
import type { ChatState } from '../components/types.ts';

/** The one place where the page's state is; every change makes a new one. */
export interface Store {
  state: () => ChatState;
  change: (part: Partial<ChatState>) => void;
  /** Calls back after every change; answers how to end that. */
  subscribe: (changed: () => void) => () => void;
}

export function createStore(): Store {
  const subscribers = new Set<() => void>();
  let state: ChatState = {
    connection: 'connecting',
    messages: [],
    more: false,
    outgoing: [],
    typing: [],
    markedAt: loadValue('read', -1),
    readByOthers: 0,
    loaded: false,
    started: false,
  };
  return {
    state: () => state,
    change(part) {
      state = { ...state, ...part };
      for (const changed of subscribers) changed();
    },
    subscribe(changed) {
      subscribers.add(changed);
      return () => void subscribers.delete(changed);
    },
  };
}
