const streamKey = (at: number) => `parlance:stream ${at}`;
/** Browsers run the timers of hidden tabs once a minute. */
const LEASE_MS = 150_000;
const RENEW_MS = 30_000;
const SETTLE_MS = 50;

interface Lease {
  id: number;
  until: number;
  isHidden: boolean;
}

/** If two tabs take a slot together, the later tab keeps it. */
export async function takeLease(
  slots: readonly number[],
  lost: () => void,
): Promise<(() => void) | undefined> {
  const id = Math.random();
  try {
    for (const at of slots) {
      const lease = readLease(at);
      const isTaken = lease && lease.until > Date.now() && (!lease.isHidden || document.hidden);
      if (isTaken) continue;
      writeLease(at, id);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      if (readLease(at)?.id === id) return keepLease(at, id, lost);
    }
    return undefined;
  } catch {
    return () => undefined;
  }
}

function keepLease(at: number, id: number, lost: () => void): () => void {
  const end = new AbortController();
  const release = () => {
    end.abort();
    clearInterval(timer);
    if (readLease(at)?.id === id) localStorage.removeItem(streamKey(at));
  };
  const renew = () => {
    if (readLease(at)?.id === id) writeLease(at, id);
    else {
      release();
      lost();
    }
  };
  const timer = setInterval(renew, RENEW_MS);
  const listening = { signal: end.signal };
  document.addEventListener('visibilitychange', renew, listening);
  addEventListener('storage', ({ key }) => key === streamKey(at) && renew(), listening);
  addEventListener('pagehide', release, listening);
  return release;
}

function readLease(at: number): Lease | null {
  return JSON.parse(localStorage.getItem(streamKey(at)) ?? 'null') as Lease | null;
}

function writeLease(at: number, id: number): void {
  const lease: Lease = { id, until: Date.now() + LEASE_MS, isHidden: document.hidden };
  localStorage.setItem(streamKey(at), JSON.stringify(lease));
}
