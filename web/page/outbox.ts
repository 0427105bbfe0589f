import { saveValue, loadValue, waitingName, waitingNames, watchWaiting } from './stored-values.ts';
import { send } from './server.ts';
import type { SendOutcome } from './server.ts';
import type { ChatMessage, Outgoing } from '../components/types.ts';
import { waitMs } from './busy.ts';

interface OutboxCallbacks {
  changed: (all: readonly Outgoing[]) => void;
  accepted: (message: ChatMessage | null, begun: string | undefined) => void;
  changedElsewhere: () => void;
  /** The server did not take a message, or has no such conversation. */
  failed: () => void;
}

/** Longest wait for the send lock, which a frozen tab may hold. Sending one message takes less. */
const TURN_MS = 40_000;

/** Sends the unsent messages of all tabs, with idempotency keys. The messages survive reloads. */
export function createOutbox({ changed, accepted, changedElsewhere, failed }: OutboxCallbacks) {
  const show = () => changed(loadUnsent());
  const settled = (sent: FinalOutcome, one: Outgoing) => {
    if (sent.outcome === 'accepted') accepted(sent.message, sent.begun);
    settle(sent, one);
    if (sent.outcome === 'refused' && sent.isGone) failed();
    show();
  };
  const run = createSender(settled, failed);
  show();
  watchWaiting(() => {
    show();
    changedElsewhere();
    run();
  });
  run();
  return {
    say: (what: Pick<Outgoing, 'text' | 'type' | 'label' | 'files'>): void => {
      const key = newKey();
      saveValue(waitingName(key), { ...what, key, at: timeAfter(loadUnsent()) });
      show();
      run();
    },
    discard: (key: string): void => {
      saveValue(waitingName(key), null);
      show();
    },
    /** Call when the server is reachable. */
    retry: run,
  };
}

type FinalOutcome = Exclude<SendOutcome, { outcome: 'later' }>;

function createSender(settled: (sent: FinalOutcome, one: Outgoing) => void, failed: () => void): () => void {
  let sending = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Returns whether the server has accepted or rejected every message. */
  async function sendAll(): Promise<boolean> {
    for (let next = chooseNext(loadUnsent()); next; next = chooseNext(loadUnsent())) {
      const sent = await send(next);
      if (sent.outcome === 'later' && sent.isAway) failed();
      if (sent.outcome === 'later') return false;
      failures = 0;
      settled(sent, next);
    }
    return true;
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (sending || !chooseNext(loadUnsent())) return;
    sending = true;
    const isSent = await withSendLock(sendAll).finally(() => (sending = false));
    if (isSent) return run();
    timer = setTimeout(() => void run(), waitMs(failures++));
  }
  return () => void run();
}

/** Call after `accepted`, which may rename the stored values. */
function settle(sent: FinalOutcome, { key }: Outgoing): void {
  const name = waitingName(key);
  if (sent.outcome === 'accepted') saveValue(name, null);
  else if (loadValue<object | null>(name, null))
    saveValue(name, { ...loadValue<object>(name, {}), refused: sent.why });
}

function loadUnsent(): Outgoing[] {
  return waitingNames()
    .map((name) => loadValue<Partial<Outgoing> | null>(name, null))
    .filter((one): one is Outgoing => Boolean(one?.key && one.at && (one.text || one.files?.length)))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function chooseNext(all: readonly Outgoing[]): Outgoing | undefined {
  return all.find(({ refused }) => refused === undefined);
}

/** Returns a later time than all unsent messages, even if the clock was set back. */
function timeAfter(all: readonly Outgoing[]): string {
  const last = Math.max(0, ...all.map(({ at }) => Date.parse(at) + 1));
  return new Date(Math.max(Date.now(), last)).toISOString();
}

async function withSendLock(work: () => Promise<boolean>): Promise<boolean> {
  // Locks may be missing or denied (live.ts).
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work();
  let result: Promise<boolean> | undefined;
  const once = () => (result ??= work());
  const signal = AbortSignal.timeout(TURN_MS);
  return locks.request(`parlance:send ${location.pathname}`, { signal }, once).catch(once);
}

/** Avoids `crypto.randomUUID`, which needs TLS or localhost. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
