import type { Message } from '../components/types.ts';
import type { Inbox } from './inbox.ts';
import { moveTo } from './keep.ts';
import { listen, readMessages } from './server.ts';
import type { Store } from './store.ts';
import { waitMs } from './wait.ts';

interface Options {
  store: Store;
  inbox: Inbox;
  /** Called whenever page and server meet again. */
  opened: () => void;
  /** Called with each message that is said while the page listens. */
  heard: (message: Message) => void;
}

/**
 * Keeps the page in touch with the server for as long as it lives. Answers how to try again now.
 */
export function stayConnected(options: Options): () => void {
  const { change } = options.store;
  let failures = 0;
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    clearTimeout(timer);
    stop?.();
    try {
      if (await begin(options)) stop = hear(options, { met: () => (failures = 0), lost: comeBack });
    } catch {
      comeBack();
    }
  }

  function comeBack(): void {
    change({ connection: 'offline', typing: [] });
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), waitMs(failures++));
  }

  window.addEventListener('online', () => void connect());
  window.addEventListener('offline', () => change({ connection: 'offline' }));
  void connect();
  return () => void connect();
}

/**
 * Reads what there is, the first time; later only looks whether it is still there. Answers whether
 * it is.
 */
async function begin({ store, inbox }: Options): Promise<boolean> {
  const page = await readMessages();
  if (page === 'gone') {
    store.change({ connection: 'gone' });
    return false;
  }
  if (page.begun !== undefined) moveTo(page.begun);
  if (!store.state().loaded) inbox.begin(page);
  const started = page.started ?? false;
  store.change({ started, ...(started ? { connection: 'online' as const } : {}) });
  // Nobody else can say anything in it before the reader does.
  return !started;
}

/** Hears what comes after what is known. */
function hear(
  { store, inbox, opened, heard }: Options,
  { met, lost }: { met: () => void; lost: () => void },
): () => void {
  return listen(inbox.mark(), {
    opened() {
      met();
      store.change({ connection: 'online' });
      opened();
    },
    message(message) {
      heard(message);
      inbox.add([message]);
    },
    read: (sequence) => store.change({ readByOthers: Math.max(sequence, store.state().readByOthers) }),
    removed: inbox.remove,
    passed: inbox.pass,
    typing: (typing) => store.change({ typing }),
    closed: lost,
  });
}
