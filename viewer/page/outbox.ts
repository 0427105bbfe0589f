import { keep, kept } from './keep.ts';
import { send } from './server.ts';
import type { Message, Outgoing } from '../components/types.ts';
import { waitMs } from './wait.ts';

/**
 * What is said here, in order, until the server has it. Survives reloads; the key makes saying it
 * twice the same as once.
 */
export interface Outbox {
  say: (what: Pick<Outgoing, 'text' | 'type' | 'label'>) => void;
  /** Takes back what the server refused. */
  discard: (key: string) => void;
  /** Tries again now: the server seems to be there. */
  retry: () => void;
}

export function createOutbox(
  changed: (all: readonly Outgoing[]) => void,
  accepted: (message: Message | null, begun: string | undefined) => void,
): Outbox {
  let all: readonly Outgoing[] = kept<Outgoing[]>('outbox', []);
  let sending = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put(next: readonly Outgoing[]): void {
    all = next;
    keep('outbox', all);
    changed(all);
  }

  async function sendNext(): Promise<void> {
    clearTimeout(timer);
    const next = all.find(({ refused }) => refused === undefined);
    if (!next || sending) return;
    sending = true;
    const sent = await send(next);
    sending = false;
    if (sent.outcome === 'later') {
      timer = setTimeout(() => void sendNext(), waitMs(failures++));
      return;
    }
    failures = 0;
    if (sent.outcome === 'accepted') accepted(sent.message, sent.begun);
    put(sent.outcome === 'accepted' ? without(all, next) : refusedIn(all, next, sent.why));
    await sendNext();
  }

  changed(all);
  void sendNext();
  return {
    say(what) {
      put([...all, { ...what, key: newKey(), at: new Date().toISOString() }]);
      void sendNext();
    },
    discard: (key) => put(without(all, { key })),
    retry: () => void sendNext(),
  };
}

function without(all: readonly Outgoing[], { key }: Pick<Outgoing, 'key'>): Outgoing[] {
  return all.filter((one) => one.key !== key);
}

function refusedIn(all: readonly Outgoing[], { key }: Outgoing, why: string): Outgoing[] {
  return all.map((one) => (one.key === key ? { ...one, refused: why } : one));
}

/** Not `crypto.randomUUID`: browsers have it only where the page came by TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
