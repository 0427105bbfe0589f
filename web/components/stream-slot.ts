/**
 * Browsers open six connections to an origin over HTTP/1.1, for all of its tabs and frames. Streams
 * hold one each for good, so all of them together leave two for requests.
 */
const SLOTS = 4;

/**
 * Takes one of the places for a stream that all tabs of this origin share. Returns how to give it
 * back; undefined where all are taken.
 */
export async function takeStreamSlot(): Promise<(() => void) | undefined> {
  // Only where the page came by TLS or from this machine.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return () => undefined;
  for (let at = 0; at < SLOTS; at += 1) {
    const release = await tryLock(locks, `parlance:stream ${at}`);
    if (release) return release;
  }
  return undefined;
}

function tryLock(locks: LockManager, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) =>
      lock ? new Promise<void>((done) => resolve(done)) : resolve(undefined);
    // A framed page may be refused locks: then nothing is shared either.
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(() => undefined));
  });
}
