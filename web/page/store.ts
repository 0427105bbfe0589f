import { loadValue } from './stored-values.ts';
import type { ChatState } from '../components/types.ts';

export interface Store {
  state: () => ChatState;
  change: (part: Partial<ChatState>) => void;
  /** Returns a function that unsubscribes. */
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
