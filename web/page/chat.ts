import { follow, liveTurn, waitUntilNeeded } from '../components/live.ts';
import { stillTyping } from '../components/timeline.ts';
import type { ChatMessage, Standing, Typist } from '../components/types.ts';
import { createTypingSignal } from '../components/typing-signal.ts';
import { retryWhileBusy, waitAfter } from './busy.ts';
import { createInbox, createStore } from './inbox.ts';
import { createOutbox } from './outbox.ts';
import { listen, readMessages, sendSignal } from './server.ts';
import { renameKey } from './stored-values.ts';

/** Largest page that the server returns. */
const LARGE_PAGE = 500;
const CATCH_UP_MS = 10_000;
/** The first wait for a response after a lost connection. It doubles with each failure. */
const SILENT_MS = 1_500;
/** Interval at which a conversation without messages, which has no stream, is read. */
const READ_MS = 15_000;
const FOREVER_MS = 2 ** 31 - 1;

interface ChatCallbacks {
  /** Called with new messages of the other side. */
  heard: (message: ChatMessage) => void;
  /** Called when the conversation's key changes to this slug. */
  begun: (slug: string) => void;
  /** Called when the server is reachable again. */
  returned: () => void;
}

export class Chat {
  readonly #callbacks: ChatCallbacks;
  readonly #store = createStore();
  readonly #inbox = createInbox(this.#store);
  readonly #outbox = createOutbox({
    changed: (outgoing) => this.#store.change({ outgoing }),
    accepted: (message, slug) => {
      if (message) this.#inbox.add([message]);
      if (slug === undefined) return;
      this.#begin(slug);
      this.begunElsewhere();
    },
    changedElsewhere: () => this.begunElsewhere(),
    failed: () => {
      // The next read shows whether the server is away.
      if (this.state().connection === 'online') this.#turn.abort();
    },
  });
  #failures = 0;
  /** Aborting starts the next turn at once. */
  #turn = new AbortController();

  readonly state = this.#store.state;
  readonly subscribe = this.#store.subscribe;
  readonly watch = this.#inbox.watch;
  readonly say = this.#outbox.say;
  readonly discard = this.#outbox.discard;
  readonly writing = createTypingSignal({
    isWanted: () => !this.state().started,
    tell: (typing) => void sendSignal('typing', { typing }),
  });

  constructor(callbacks: ChatCallbacks) {
    this.#callbacks = callbacks;
    addEventListener('online', () => this.#turn.abort());
    addEventListener('offline', () => this.#store.change({ connection: 'offline' }));
    void this.#stayConnected();
  }

  /** Call when the conversation may have got its first message. */
  begunElsewhere(): void {
    if (this.state().started) this.#turn.abort();
  }

  #begin(slug: string): void {
    renameKey(slug);
    this.#callbacks.begun(slug);
  }

  async readEarlier(limit?: number): Promise<void> {
    const before = this.state().messages[0]?.sequence;
    const page = await retryWhileBusy(() => readMessages({ before, limit }));
    if (page === 'gone') this.#store.change({ connection: 'gone', more: false });
    else this.#inbox.addEarlier(page);
  }

  /** Rejects if the server is unreachable. */
  async readAll(): Promise<void> {
    while (this.state().more) await this.readEarlier(LARGE_PAGE);
  }

  async #stayConnected(): Promise<void> {
    for (;;) {
      this.#turn = new AbortController();
      const { signal } = this.#turn;
      let fault: unknown;
      try {
        const turn = await this.#takeTurn(signal);
        if (turn === 'gone') return;
        if (turn === 'released') continue;
      } catch (error) {
        fault = error;
      }
      this.#store.change({ connection: 'offline', typing: [] });
      await waitUntilNeeded(waitAfter(fault, this.#failures++), follow(signal));
    }
  }

  async #takeTurn(signal: AbortSignal): Promise<'gone' | 'lost' | 'released'> {
    const { change } = this.#store;
    const { loaded } = this.state();
    const silentMs = SILENT_MS * 2 ** Math.max(0, this.#failures - 1);
    const page = await readMessages(loaded ? { silentMs } : {});
    if (page === 'gone') {
      change({ connection: 'gone' });
      return 'gone';
    }
    if (page.begun !== undefined) this.#begin(page.begun);
    if (loaded) this.#inbox.merge(page).forEach((message) => this.#hear(message));
    else this.#inbox.begin(page);
    const { started = false, status, people, rating } = page;
    change({ started, standing: { status, people, rating } });
    if (started) {
      this.#connected();
      // Only the reader can post the first message.
      return waitUntilNeeded(document.hidden ? FOREVER_MS : READ_MS, follow(signal));
    }
    return liveTurn(signal, {
      stream: (end) => this.#readStream(end),
      poll: async () => {
        this.#connected();
        change({ typing: [] });
        if (page.mark !== this.#inbox.mark()) await this.#catchUp(signal);
      },
    });
  }

  #hear(message: ChatMessage): void {
    if (message.role !== 'contact') this.#callbacks.heard(message);
  }

  #connected(): void {
    if (this.state().connection === 'offline') this.#callbacks.returned();
    this.#failures = 0;
    this.#store.change({ connection: 'online' });
    this.#outbox.retry();
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    const end = follow(signal);
    const stop = () => end.abort();
    const timer = setTimeout(stop, CATCH_UP_MS);
    await this.#readStream(end.signal, stop);
    clearTimeout(timer);
  }

  #readStream(signal: AbortSignal, caughtUp?: () => void): Promise<void> {
    const { state, change } = this.#store;
    const inbox = this.#inbox;
    const listener = {
      opened: () => this.#connected(),
      message: (message: ChatMessage) => {
        const isKnown = state().messages.some(({ id }) => id === message.id);
        if (!isKnown) this.#hear(message);
        inbox.add([message]);
        change({ typing: stillTyping(state().typing, message) });
      },
      removed: inbox.remove,
      passed: inbox.pass,
      typing: (typing: Typist[]) => change({ typing }),
      caughtUp: ({ read = 0, ...standing }: Standing & { read?: number }) => {
        change({ readByOthers: Math.max(read, state().readByOthers), standing });
        caughtUp?.();
      },
    };
    return listen(inbox.mark(), listener, signal);
  }
}
