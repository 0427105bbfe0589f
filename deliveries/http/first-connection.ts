import type { buildConnector } from 'undici';

/** After this time the next address is tried as well, while the earlier ones go on (RFC 8305). */
const NEXT_AFTER_MS = 400;

/** Addresses of one name that are tried. A name may have thousands. */
const MAX_ADDRESSES = 16;

interface Attempts {
  connect: buildConnector.connector;
  options: buildConnector.Options;
  addresses: readonly string[];
}

/**
 * Connects to the addresses of a host, each a little after the one before it, and passes the first
 * connection that is established: an address that never answers delays the others only a little,
 * and one that answers late is not given up. Other connections are closed. Where all fail, the
 * callback gets the error of the first address.
 */
export function connectToFirst(
  { connect, options, addresses }: Attempts,
  callback: buildConnector.Callback,
): void {
  const tried = addresses.slice(0, MAX_ADDRESSES);
  const errors = new Map<number, Error>();
  let next = 0;
  let isDone = false;
  let timer: NodeJS.Timeout | undefined;

  function end(...result: Parameters<buildConnector.Callback>): void {
    isDone = true;
    clearTimeout(timer);
    callback(...result);
  }

  function connectToNext(): void {
    clearTimeout(timer);
    const at = next;
    const address = tried[at];
    if (isDone || address === undefined) return;
    next += 1;
    timer = setTimeout(connectToNext, NEXT_AFTER_MS);
    connect({ ...options, hostname: address }, (...[error, socket]) => {
      if (isDone) socket?.destroy();
      else if (!error) end(null, socket);
      else {
        errors.set(at, error);
        if (errors.size === tried.length) end(errors.get(0) ?? error, null);
        else if (at === next - 1) connectToNext();
      }
    });
  }

  connectToNext();
}
