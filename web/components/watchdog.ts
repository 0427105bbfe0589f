/** The server sends a heartbeat every fifteen seconds. */
const SILENT_MS = 35_000;
const TICK_MS = 1_000;
/** A tick later than this means that the device slept: its connections are dead. */
const SLEPT_MS = 15_000;

export interface Watchdog {
  /** Notes that something arrived. */
  seen: () => void;
  stop: () => void;
}

/**
 * Calls `dead` once when a connection that still looks open has sent nothing for 35 seconds, or
 * when the device slept.
 */
export function createWatchdog(dead: () => void): Watchdog {
  let seenAt = Date.now();
  let tickedAt = seenAt;
  const timer = setInterval(() => {
    const now = Date.now();
    const slept = now - tickedAt > SLEPT_MS || now < tickedAt - SLEPT_MS;
    tickedAt = now;
    if (!slept && now - seenAt <= SILENT_MS) return;
    clearInterval(timer);
    dead();
  }, TICK_MS);
  return {
    seen: () => (seenAt = Date.now()),
    stop: () => clearInterval(timer),
  };
}
