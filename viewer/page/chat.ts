import { stayConnected } from './connection.ts';
import { createInbox } from './inbox.ts';
import type { Inbox } from './inbox.ts';
import { createOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import { readMessages } from './server.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** The conversation as this page knows it, kept up to date by itself. */
export interface Chat
  extends Pick<Store, 'state' | 'subscribe'>, Pick<Outbox, 'say' | 'discard'>, Pick<Inbox, 'watch'> {
  readEarlier: () => Promise<void>;
}

export function createChat(): Chat {
  const store = createStore();
  const inbox = createInbox(store);
  const outbox = createOutbox(
    (outgoing) => store.change({ outgoing }),
    (message) => inbox.add([message]),
  );
  stayConnected({ store, inbox, opened: outbox.retry });
  return {
    state: store.state,
    subscribe: store.subscribe,
    say: outbox.say,
    discard: outbox.discard,
    watch: inbox.watch,
    async readEarlier() {
      const page = await readMessages(store.state().messages[0]?.sequence).catch(() => null);
      if (page && page !== 'gone') inbox.addEarlier(page);
    },
  };
}
