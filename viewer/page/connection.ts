import type { Inbox } from './inbox.ts';
import { listen, readMessages } from './server.ts';
import type { Store } from './store.ts';
import { waitMs } from './wait.ts';

/** Keeps the page in touch with the server for as long as it lives. `opened` is called whenever they meet again. */
export function stayConnected({
  store,
  inbox,
  opened,
}: {
  store: Store;
  inbox: Inbox;
  opened: () => void;
}): void {
  let failures = 0;
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Reads what there is, the first time; later only looks whether it is still there. Then hears what comes after it. */
  async function connect(): Promise<void> {
    clearTimeout(timer);
    stop?.();
    try {
      const page = await readMessages();
      if (page === 'gone') {
        store.change({ connection: 'gone' });
        return;
      }
      if (!store.state().loaded) inbox.begin(page);
      hear();
    } catch {
      comeBack();
    }
  }

  function hear(): void {
    stop = listen(inbox.known(), {
      opened() {
        failures = 0;
        store.change({ connection: 'online' });
        opened();
      },
      message: (message) => inbox.add([message]),
      passed: inbox.pass,
      typing: (typing) => store.change({ typing }),
      closed: comeBack,
    });
  }

  function comeBack(): void {
    store.change({ connection: 'offline', typing: [] });
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), waitMs(failures++));
  }

  window.addEventListener('online', () => void connect());
  window.addEventListener('offline', () => store.change({ connection: 'offline' }));
  void connect();
}
