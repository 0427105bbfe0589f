/** Browsers open six HTTP/1.1 connections per origin, for all tabs. Two remain for requests. */
const SLOTS = [0, 1, 2, 3];
const STREAM = 'parlance:stream ';
const HIDDEN = 'parlance:hidden ';

/** Returns a function that releases the slot. Calls `lost` when a visible tab takes the slot. */
export async function takeStreamSlot(lost: () => void): Promise<(() => void) | undefined> {
  // Browsers offer locks only with TLS or localhost.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) {
    const { takeLease } = await import('./stream-leases.ts');
    return takeLease(SLOTS, lost);
  }
  for (const at of SLOTS) {
    const release = await tryLock(locks, at, { options: { ifAvailable: true }, lost });
    if (release) return release;
  }
  const { held = [] } = document.hidden ? {} : await locks.query();
  const hidden = held.find(({ name }) => name?.startsWith(HIDDEN))?.name;
  if (hidden === undefined) return undefined;
  return tryLock(locks, Number(hidden.slice(HIDDEN.length)), { options: { steal: true }, lost });
}

interface LockTry {
  options: LockOptions;
  lost: () => void;
}

function tryLock(
  locks: LockManager,
  at: number,
  { options, lost }: LockTry,
): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    let unmark: (() => void) | undefined;
    const hold = (lock: Lock | null) => {
      if (lock) {
        unmark = markHidden(locks, at);
        return new Promise<void>((done) => resolve(done));
      }
      resolve(undefined);
      return undefined;
    };
    const ended = () => {
      unmark?.();
      if (unmark) lost();
      // The browser may deny locks to a framed page, which shares no connections with other tabs.
      else resolve(() => undefined);
    };
    locks.request(`${STREAM}${at}`, options, hold).then(() => unmark?.(), ended);
  });
}

/** While the tab is hidden, a lock names its slot. */
function markHidden(locks: LockManager, at: number): () => void {
  const end = new AbortController();
  let release: (() => void) | undefined;
  const change = () => {
    release?.();
    release = undefined;
    if (!document.hidden || end.signal.aborted) return;
    const hold = () =>
      document.hidden && !end.signal.aborted ? new Promise<void>((done) => (release = done)) : undefined;
    locks.request(`${HIDDEN}${at}`, hold).catch(() => undefined);
  };
  change();
  document.addEventListener('visibilitychange', change, { signal: end.signal });
  return () => {
    end.abort();
    change();
  };
}
